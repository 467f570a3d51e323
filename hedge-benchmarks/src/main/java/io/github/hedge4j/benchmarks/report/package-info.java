/** Runs the benchmarks and writes what they say. */
@NullMarked
package io.github.hedge4j.benchmarks.report;

import org.jspecify.annotations.NullMarked;
