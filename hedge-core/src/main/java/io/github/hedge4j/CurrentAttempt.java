package io.github.hedge4j;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The attempt whose supplier this thread is inside of. Each thread has one slot; it holds null, the {@link CallAttempt}, or the
 * {@link Hedged} supplier whose primary is being invoked and whose attempt nobody has asked for yet: a call that never asks has no attempt
 * object. The slot is an array of the JDK's, so that a pooled thread keeps nothing of this library alive. It also holds the thread's
 * state of {@link Sampling}.
 */
final class CurrentAttempt {

    private static final ThreadLocal<@Nullable Object[]> SLOT =
            ThreadLocal.withInitial(() -> new @Nullable Object[] {null, Sampling.newState()});

    private CurrentAttempt() {}

    /** This thread's slot: whoever sets its element 0 puts the former value back; element 1 is for {@link Sampling}. */
    static @Nullable Object[] slot() {
        return SLOT.get();
    }

    static Optional<Attempt> get() {
        @Nullable Object[] slot = SLOT.get();
        if (slot[0] instanceof Hedged<?> hedged) {
            slot[0] = hedged.newCall().trail().primary;
        }
        return Optional.ofNullable((Attempt) slot[0]);
    }
}
