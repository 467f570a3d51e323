package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The attempt whose supplier this thread is inside of. Each thread has one slot; it holds null, the {@link CallAttempt}, or the
 * {@link Hedged} supplier whose primary is being invoked and whose attempt nobody has asked for yet: a call that never asks has no attempt
 * object. The slot is an array of the JDK's, so that a pooled thread keeps nothing of this library alive. It also holds two numbers: when
 * that supplier was invoked, and how many calls {@link Sampling} has left to skip.
 */
final class CurrentAttempt {

    private static final ThreadLocal<@Nullable Object[]> SLOT = ThreadLocal.withInitial(() ->
            new @Nullable Object[] {null, new long[] {Call.UNREAD, Sampling.untilNextAtOnce()}});

    /** In {@link #numbers}: when the supplier in this slot was invoked, {@link Call#UNREAD} if nobody needed to know by then. */
    static final int START = 0;

    /** In {@link #numbers}: how many calls are not measured before one is again. */
    static final int TO_SKIP = 1;

    private CurrentAttempt() {}

    /** This thread's slot: whoever sets its element 0, and the start that goes with it, puts the former values back. */
    static @Nullable Object[] slot() {
        return SLOT.get();
    }

    static long[] numbers(@Nullable Object[] slot) {
        return (long[]) requireNonNull(slot[1]);
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
            slot[0] = hedged.newCall(numbers(slot)[START]).trail().primary;
        }
        return (CallAttempt<?>) slot[0];
    }
}
