/** Writes, and why they are not hedged without an idempotency key. */
@NullMarked
package io.github.hedge4j.examples.writes;

import org.jspecify.annotations.NullMarked;
