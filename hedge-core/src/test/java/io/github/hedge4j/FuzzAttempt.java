package io.github.hedge4j;

import static io.github.hedge4j.FuzzScript.require;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One attempt of a {@link FuzzCall}: what its supplier does, what its stage does when it is cancelled, and what it told. */
final class FuzzAttempt {

    /** How a stage ended: one of the two, or a null result. */
    private record Told(@Nullable Object value, @Nullable Throwable failure) {}

    /** What a stage does when it is cancelled. */
    private enum Manners {
        OBEYS,
        OBEYS_TOO,
        IS_DEAF,
        THROWS,
        ANSWERS
    }

    final int number;
    private final FuzzCall call;
    private final FuzzScript script;
    private final FuzzDice dice;
    private final @Nullable Attempt attempt;
    private final Manners manners;

    /** What the engine's listener was told; for a future what it was completed with, once. */
    private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();

    private final List<AtomicInteger> actions = new CopyOnWriteArrayList<>();
    private final AtomicInteger cancels = new AtomicInteger();
    private volatile @Nullable Source source;

    FuzzAttempt(FuzzCall call, int number, @Nullable Attempt attempt) {
        this.call = call;
        this.number = number;
        this.attempt = attempt;
        this.script = call.script;
        this.dice = script.dice;
        this.manners = dice.oneOf(Manners.values());
    }

    // ---- what the supplier does

    CompletionStage<Object> invoke() {
        script.trace(this, "starts");
        for (int i = dice.below(3); i > 0; i--) {
            registerAction();
        }
        script.mischief();
        return switch (dice.below(16)) {
            case 0 -> throwAny();
            case 1 -> returnNull();
            case 2, 3 -> now(new Told(value(), null));
            case 4 -> now(new Told(null, failure()));
            case 5, 6, 7 -> later(new Babbler());
            default -> later(new Plain());
        };
    }

    private CompletionStage<Object> throwAny() {
        Throwable failure = failure();
        told.add(new Told(null, failure));
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }

    @SuppressWarnings("NullAway") // what a careless supplier does
    private @Nullable CompletionStage<Object> returnNull() {
        told.add(new Told(null, new NullPointerException()));
        return null;
    }

    private CompletionStage<Object> now(Told end) {
        Plain plain = new Plain();
        plain.end(end);
        source = plain;
        return plain;
    }

    private CompletionStage<Object> later(Source pending) {
        source = pending;
        int times = dice.oneOf(0, 1, 1, 1, 2, 2, 3);
        for (int i = 0; i < times; i++) {
            Told end = anyEnd();
            if (dice.chance(20)) {
                pending.end(end);
            } else {
                script.later(script.someTicks(), () -> pending.end(end));
            }
        }
        return pending.stage();
    }

    private Told anyEnd() {
        return dice.chance(50) ? new Told(value(), null) : new Told(null, failure());
    }

    private @Nullable Object value() {
        if (dice.chance(10)) {
            return null;
        }
        return dice.chance(script.sharing) ? call.shared : new FuzzValue("from " + number, dice);
    }

    private Throwable failure() {
        return FuzzFailure.any(dice, "from " + number);
    }

    void registerAction() {
        if (attempt == null) {
            return;
        }
        AtomicInteger runs = new AtomicInteger();
        actions.add(runs);
        attempt.onCancel(() -> {
            runs.incrementAndGet();
            script.trace("an action of", this);
            script.mischief();
            if (dice.chance(10)) {
                throw new FuzzScript.Broken();
            }
        });
    }

    /** Ends it, if it still runs; false if it has ended. */
    boolean endNow() {
        Source pending = source;
        if (pending == null || isEnded()) {
            return false;
        }
        pending.end(anyEnd());
        return true;
    }

    // ---- stages

    /** What the supplier returned. */
    private interface Source {

        CompletionStage<Object> stage();

        void end(Told end);
    }

    /** A future that counts how often it is cancelled and has manners of its own. */
    private final class Plain extends CompletableFuture<Object> implements Source {

        @Override
        public CompletionStage<Object> stage() {
            return this;
        }

        @Override
        public void end(Told end) {
            script.trace(FuzzAttempt.this, "ends with", end);
            if (end.failure() == null) {
                complete(end.value());
            } else {
                completeExceptionally(end.failure());
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            cancelled(mayInterruptIfRunning);
            return switch (manners) {
                case OBEYS, OBEYS_TOO -> super.cancel(mayInterruptIfRunning);
                case ANSWERS -> complete(value());
                case THROWS -> throw new FuzzScript.Broken();
                case IS_DEAF -> false;
            };
        }

        @Override
        public <U> CompletableFuture<U> newIncompleteFuture() {
            return new CompletableFuture<>();
        }
    }

    /** A stage of another make: no future, tells its listener everything, however often. */
    private final class Babbler implements Source {

        private final List<Told> early = new ArrayList<>();
        private @Nullable BiConsumer<Object, Throwable> listener;

        private final CompletableFuture<Object> handle = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                cancelled(mayInterruptIfRunning);
                switch (manners) {
                    case OBEYS, OBEYS_TOO -> Babbler.this.end(new Told(null, new CancellationException()));
                    case ANSWERS -> Babbler.this.end(new Told(value(), null));
                    case THROWS -> throw new FuzzScript.Broken();
                    case IS_DEAF -> {}
                }
                return false;
            }
        };

        @Override
        @SuppressWarnings("unchecked")
        public CompletionStage<Object> stage() {
            return (CompletionStage<Object>) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {CompletionStage.class}, (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "whenComplete" -> listen((BiConsumer<Object, Throwable>) arguments[0]);
                            case "toCompletableFuture" -> {
                                return handle;
                            }
                            case "toString" -> {
                                return "babbler";
                            }
                            default -> throw new UnsupportedOperationException(method.getName());
                        }
                        return proxy;
                    });
        }

        private void listen(BiConsumer<Object, Throwable> heard) {
            List<Told> missed;
            synchronized (this) {
                listener = heard;
                missed = List.copyOf(early);
            }
            missed.forEach(this::end);
        }

        @Override
        public void end(Told end) {
            BiConsumer<Object, Throwable> heard;
            synchronized (this) {
                heard = listener;
                if (heard == null) {
                    early.add(end);
                    return;
                }
                told.add(end);
            }
            script.trace(FuzzAttempt.this, "tells", end);
            heard.accept(end.value(), end.failure());
        }
    }

    private void cancelled(boolean mayInterruptIfRunning) {
        script.trace(this, "is cancelled and", manners);
        cancels.incrementAndGet();
        script.expect(mayInterruptIfRunning, "cancelled without interrupting");
        script.mischief();
    }

    // ---- what was seen

    private List<Told> told() {
        if (source instanceof Plain plain && plain.isDone()) {
            return List.of(plain.handle(Told::new).join());
        }
        return List.copyOf(told);
    }

    boolean isEnded() {
        return source instanceof Plain plain ? plain.isDone() : !told.isEmpty();
    }

    List<Object> values() {
        List<Object> values = new ArrayList<>();
        told().forEach(end -> {
            if (end.value() != null) {
                values.add(end.value());
            }
        });
        return values;
    }

    boolean hasProduced(@Nullable Object value) {
        return mayBe(end -> end.failure() == null && end.value() == value);
    }

    /** Of a stage that tells several things any one may count: the predicate that judges the first may be overtaken by the second. */
    private boolean mayBe(Predicate<Told> how) {
        return told().stream().anyMatch(how);
    }

    boolean mayHaveAskedForMore() {
        return mayBe(end -> end.failure() != null || FuzzValue.isRefused(end.value()));
    }

    /** Whether it failed in a way that is not to be outrun. */
    boolean mayHaveEndedTheCall() {
        return mayBe(end -> end.failure() instanceof FuzzFailure.Ignored);
    }

    boolean wasCancelled() {
        return attempt != null && attempt.isCancelled();
    }

    boolean isCancelledIfKnown() {
        return attempt == null || attempt.isCancelled();
    }

    /** Whether it runs on because it pays no attention. */
    boolean wasCancelledInVain() {
        return cancels.get() == 1 && manners != Manners.OBEYS && manners != Manners.OBEYS_TOO;
    }

    boolean explains(AttemptReport report) {
        return switch (report.outcome()) {
            case SUCCESS -> mayBe(end -> end.failure() == null && !isRefused(end));
            case REJECTED_RESULT -> mayBe(end -> end.failure() == null && isRefused(end));
            case FAILURE ->
                !wasCancelled()
                        && mayBe(end -> isSame(end.failure(), report.failure().orElseThrow()));
            case CANCELLED -> isCancelledIfKnown() && mayBe(end -> end.failure() != null);
            case UNRESPONSIVE -> true;
        };
    }

    private boolean isRefused(Told end) {
        return call.config.getHedgeOnResult().isPresent() && FuzzValue.isRefused(end.value());
    }

    private static boolean isSame(@Nullable Throwable told, Throwable reported) {
        Throwable cause = told != null && told.getClass() == CompletionException.class ? told.getCause() : told;
        return cause == reported || (cause instanceof NullPointerException && reported instanceof NullPointerException);
    }

    void check() {
        require(cancels.get() <= 1, this + " was cancelled " + cancels.get() + " times");
        int expected = wasCancelled() ? 1 : 0;
        for (AtomicInteger runs : actions) {
            require(runs.get() == expected, "an action of " + this + " ran " + runs.get() + " times, not " + expected);
        }
        if (source instanceof Future<?> future && cancels.get() > 0) {
            require(future.isDone(), this + " never ended");
        }
    }

    @Override
    public String toString() {
        return "attempt " + number + " of " + call;
    }
}
