/** Servers that are paused, slowed, killed and restarted while hedged calls run. */
@NullMarked
package io.github.hedge4j.examples.soak;

import org.jspecify.annotations.NullMarked;
