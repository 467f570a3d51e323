package io.github.hedge4j.benchmarks;

/** Makes, completes and looks at futures of one kind, so that what happens in a call is written once for all kinds. */
interface Futures<F> {

    Object VALUE = "value";

    RuntimeException FAILURE = new IllegalStateException("the backend failed");

    F pending();

    F succeeded();

    F failed();

    void succeed(F pending);

    boolean isDone(F future);
}
