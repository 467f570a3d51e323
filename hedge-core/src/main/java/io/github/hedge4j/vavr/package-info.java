/** Hedging for users of Vavr, which is an optional dependency: nothing else in this library needs it. */
@NullMarked
package io.github.hedge4j.vavr;

import org.jspecify.annotations.NullMarked;
