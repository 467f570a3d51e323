/**
 * Hedging in a chain with Resilience4j's decorators, through which cancelling and losing reach the source. Each of the Resilience4j modules
 * is only needed by whoever puts its decorator into a chain.
 */
@NullMarked
package io.github.hedge4j.decorators;

import org.jspecify.annotations.NullMarked;
