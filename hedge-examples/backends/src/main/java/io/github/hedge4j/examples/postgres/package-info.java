/** Reads from PostgreSQL replicas, the slow ones cancelled at their server. */
@NullMarked
package io.github.hedge4j.examples.postgres;

import org.jspecify.annotations.NullMarked;
