package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the attempts of a call invoke: the user's supplier in each of the forms it can be given in. */
abstract class Work<T> {

    /** Invokes the user's code for one attempt; {@code attempt} is null for a primary that {@link #asksForAttempt} does not ask for. */
    abstract @Nullable CompletionStage<? extends T> invoke(@Nullable CallAttempt<T> attempt) throws Exception;

    /** Whether {@link #invoke} uses its argument. */
    boolean asksForAttempt() {
        return true;
    }

    /** How many attempts there is something to do for. */
    int limit() {
        return Integer.MAX_VALUE;
    }

    @Nullable
    String target(int number) {
        return null;
    }

    static <T> Work<T> of(Supplier<? extends CompletionStage<? extends T>> supplier) {
        requireNonNull(supplier, "supplier must not be null");
        return new Work<>() {
            @Override
            @Nullable
            CompletionStage<? extends T> invoke(@Nullable CallAttempt<T> attempt) {
                return supplier.get();
            }

            @Override
            boolean asksForAttempt() {
                return false;
            }
        };
    }

    static <T> Work<T> of(Function<? super Attempt, ? extends CompletionStage<? extends T>> attempts) {
        requireNonNull(attempts, "attempts must not be null");
        return new Work<>() {
            @Override
            @Nullable
            CompletionStage<? extends T> invoke(@Nullable CallAttempt<T> attempt) {
                return attempts.apply(requireNonNull(attempt));
            }
        };
    }

    static <T> Work<T> of(Callable<? extends T> callable, Executor executor) {
        requireNonNull(callable, "callable must not be null");
        requireNonNull(executor, "executor must not be null");
        return new Work<>() {
            @Override
            CompletionStage<? extends T> invoke(@Nullable CallAttempt<T> attempt) {
                InterruptibleTask<T> task = new InterruptibleTask<>(callable, requireNonNull(attempt));
                attempt.publish(task); // the executor may run it right here
                executor.execute(task);
                return task;
            }
        };
    }

    /** One supplier an attempt, in order. */
    static <T> Work<T> inTurn(List<? extends Supplier<? extends CompletionStage<? extends T>>> suppliers) {
        return new InTurn<>(suppliers, null);
    }

    static <T> Work<T> inTurn(Map<String, ? extends Supplier<? extends CompletionStage<? extends T>>> targets) {
        requireNonNull(targets, "targets must not be null");
        if (targets.isEmpty()) {
            throw new IllegalArgumentException("targets must not be empty");
        }
        targets.forEach((name, supplier) -> {
            requireNonNull(name, "targets must not have a null name");
            requireNonNull(supplier, () -> "targets must not have a null supplier, but had one for '" + name + "'");
        });
        return new InTurn<>(new ArrayList<>(targets.values()), new ArrayList<>(targets.keySet()));
    }

    private static final class InTurn<T> extends Work<T> {

        private final List<? extends Supplier<? extends CompletionStage<? extends T>>> suppliers;
        private final @Nullable List<String> names;

        InTurn(
                List<? extends Supplier<? extends CompletionStage<? extends T>>> suppliers,
                @Nullable List<String> names) {
            this.suppliers = suppliers;
            this.names = names;
        }

        @Override
        @Nullable
        CompletionStage<? extends T> invoke(@Nullable CallAttempt<T> attempt) {
            return suppliers.get(requireNonNull(attempt).number()).get();
        }

        @Override
        int limit() {
            return suppliers.size();
        }

        @Override
        @Nullable
        String target(int number) {
            return names == null ? null : names.get(number);
        }
    }
}
