/** Streamed HTTP bodies: the winner's is read to its end, the losers' are closed. */
@NullMarked
package io.github.hedge4j.examples.http;

import org.jspecify.annotations.NullMarked;
