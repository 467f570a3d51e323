package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The attempt whose supplier this thread is inside of. Each thread has one slot; it holds null, the {@link CallAttempt}, or the
 * {@link Hedged} supplier whose primary is being invoked and whose attempt nobody has asked for yet: a call that never asks has no attempt
 * object. The slot is an array of the JDK's, so that a pooled thread keeps nothing of this library alive. It also holds the thread's
 * state of {@link Sampling}, and when that supplier was invoked.
 */
final class CurrentAttempt {

    private static final ThreadLocal<@Nullable Object[]> SLOT =
            ThreadLocal.withInitial(() -> new @Nullable Object[] {null, Sampling.newState(), new long[] {Call.UNREAD}});

    private CurrentAttempt() {}

    /** This thread's slot: whoever sets its element 0 puts the former value back; element 1 is for {@link Sampling}. */
    static @Nullable Object[] slot() {
        return SLOT.get();
    }

    /** When the supplier in this slot was invoked, in the one element; {@link Call#UNREAD} if nobody needed to know by then. */
    static long[] start(@Nullable Object[] slot) {
        return (long[]) requireNonNull(slot[2]);
    }

    static Optional<Attempt> get() {
        return Optional.ofNullable(find());
    }

    /** Has the current attempt, if there is one, cancel this stage when it loses. */
    static void own(CompletionStage<?> stage) {
        CallAttempt<?> attempt = find();
        if (attempt != null) {
            attempt.own(stage);
        }
    }

    /** Whether there is a current attempt and it has been cancelled; one that nobody has asked for yet has not. */
    static boolean isCancelled() {
        return SLOT.get()[0] instanceof CallAttempt<?> attempt && attempt.isCancelled();
    }

    private static @Nullable CallAttempt<?> find() {
        @Nullable Object[] slot = SLOT.get();
        if (slot[0] instanceof Hedged<?> hedged) {
            slot[0] = hedged.newCall(start(slot)[0]).trail().primary;
        }
        return (CallAttempt<?>) slot[0];
    }
}
