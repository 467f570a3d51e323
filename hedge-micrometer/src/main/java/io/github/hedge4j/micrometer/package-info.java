/** A hedge's counters as Micrometer meters. */
@NullMarked
package io.github.hedge4j.micrometer;

import org.jspecify.annotations.NullMarked;
