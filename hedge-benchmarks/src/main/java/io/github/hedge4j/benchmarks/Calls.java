package io.github.hedge4j.benchmarks;

import java.util.function.Supplier;

/** Calls to a backend through one decorator. The kind of its futures stays in here. */
final class Calls<F> {

    private final Futures<F> futures;
    private final Decorator<F> decorator;

    Calls(Futures<F> futures, Decorator<F> decorator) {
        this.futures = futures;
        this.decorator = decorator;
    }

    /** For the calling thread: makes a call as the scenario has it, and waits for its end. */
    Supplier<Object> in(Scenario scenario) {
        Supplier<F> call = scenario.call(futures, decorator);
        return () -> awaitDone(call.get());
    }

    /** For the calling thread: makes that many calls whose primaries never answer and whose hedges do so at once, and waits for all. */
    Supplier<Object> hedged(int calls) {
        Backend<F> backend = new Backend<>(futures::pending, futures.succeeded());
        Supplier<F> call = decorator.decorate(backend);
        Object[] returned = new Object[calls];
        return () -> {
            for (int i = 0; i < calls; i++) {
                backend.nextCall();
                returned[i] = call.get();
            }
            for (int i = 0; i < calls; i++) {
                awaitDone(cast(returned[i]));
            }
            return returned;
        };
    }

    /** That many calls which have been made and are in flight until told to end. */
    InFlight inFlight(int calls) {
        return new InFlight(calls);
    }

    final class InFlight {

        private final Object[] primaries;
        private final Object[] returned;
        private int made;

        private InFlight(int calls) {
            primaries = new Object[calls];
            returned = new Object[calls];
            for (int i = 0; i < calls; i++) {
                primaries[i] = futures.pending();
            }
        }

        void begin() {
            Supplier<F> call = decorator.decorate(() -> cast(primaries[made]));
            for (made = 0; made < returned.length; made++) {
                returned[made] = call.get();
            }
        }

        /** Completes the primaries, which stay, and lets go of the results. */
        void end() {
            for (int i = 0; i < returned.length; i++) {
                futures.succeed(cast(primaries[i]));
                awaitDone(cast(returned[i]));
                returned[i] = this;
            }
        }
    }

    private F awaitDone(F future) {
        while (!futures.isDone(future)) {
            Thread.onSpinWait();
        }
        return future;
    }

    @SuppressWarnings("unchecked") // only futures of this kind get into the arrays
    private F cast(Object future) {
        return (F) future;
    }
}
