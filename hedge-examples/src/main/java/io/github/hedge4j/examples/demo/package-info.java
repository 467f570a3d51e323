/** Plain calls, racing and hedging side by side, against real HTTP replicas of which a few answers are slow. */
@NullMarked
package io.github.hedge4j.examples.demo;

import org.jspecify.annotations.NullMarked;
