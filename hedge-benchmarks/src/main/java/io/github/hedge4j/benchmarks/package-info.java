/** What hedging costs, each piece beside others that do the same. */
@NullMarked
package io.github.hedge4j.benchmarks;

import org.jspecify.annotations.NullMarked;
