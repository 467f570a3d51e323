/** When the next attempt is due: rules that answer in nanoseconds, and the estimators behind them. */
@NullMarked
package io.github.hedge4j.delay;

import org.jspecify.annotations.NullMarked;
