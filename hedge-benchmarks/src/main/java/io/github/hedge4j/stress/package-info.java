/**
 * Races that the library must win, each provoked millions of times:
 * {@code mvn -q -P benchmarks compile exec:exec@stress -pl hedge-benchmarks -am}.
 */
@NullMarked
package io.github.hedge4j.stress;

import org.jspecify.annotations.NullMarked;
