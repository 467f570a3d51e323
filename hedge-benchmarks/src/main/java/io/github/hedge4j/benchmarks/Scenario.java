package io.github.hedge4j.benchmarks;

import java.util.function.Supplier;

/** How a call's primary fares. */
public enum Scenario {
    /** It has succeeded when the supplier returns it. */
    DONE("already done") {
        @Override
        <F> Supplier<F> call(Futures<F> futures, Decorator<F> decorator) {
            F answer = futures.succeeded();
            return decorator.decorate(() -> answer);
        }
    },
    /** It is pending when the supplier returns it, and succeeds right after, on the caller's thread. */
    PENDING("pending") {
        @Override
        <F> Supplier<F> call(Futures<F> futures, Decorator<F> decorator) {
            Latest<F> latest = new Latest<>(futures);
            Supplier<F> call = decorator.decorate(latest);
            return () -> {
                F returned = call.get();
                futures.succeed(latest.take());
                return returned;
            };
        }
    },
    /** It is pending when the supplier returns it, and another thread is about to complete it. */
    OTHER_THREAD("completed by another thread") {
        @Override
        <F> Supplier<F> call(Futures<F> futures, Decorator<F> decorator) {
            Latest<F> latest = new Latest<>(futures);
            Completer<F> completer = new Completer<>(futures);
            completer.start();
            Supplier<F> call = decorator.decorate(latest);
            return () -> {
                F returned = call.get();
                completer.succeedSoon(latest.take());
                return returned;
            };
        }
    },
    /** It has failed when the supplier returns it; a second attempt would succeed at once. */
    FAILED("primary failed") {
        @Override
        <F> Supplier<F> call(Futures<F> futures, Decorator<F> decorator) {
            F failed = futures.failed();
            Backend<F> backend = new Backend<>(() -> failed, futures.succeeded());
            Supplier<F> call = decorator.decorate(backend);
            return () -> {
                backend.nextCall();
                return call.get();
            };
        }
    };

    private final String label;

    Scenario(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    Terms terms() {
        return new Terms(Terms.USUAL.delay(), this == FAILED);
    }

    /** Calls of the current thread through this decorator. */
    abstract <F> Supplier<F> call(Futures<F> futures, Decorator<F> decorator);
}
