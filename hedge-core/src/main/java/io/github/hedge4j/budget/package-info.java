/** Whether a hedge may start: the balance of tokens that hedges pay from and successful calls fill. */
@NullMarked
package io.github.hedge4j.budget;

import org.jspecify.annotations.NullMarked;
