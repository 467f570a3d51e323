package io.github.hedge4j.examples.simulation;

/** All experiments. */
record Evidence(
        GoLibrary goLibrary,
        TailAtScale tailAtScale,
        TwoCopies twoCopies,
        Redundancy redundancy,
        SingleR singleR,
        BrownOut brownOut,
        WhenToHedge whenToHedge) {

    /** What takes part of a minute on two cores and is as exact as the tests ask for. */
    static final int CALLS = 400_000;

    static Evidence run() {
        return run(CALLS);
    }

    /** @param calls in each of the larger runs */
    static Evidence run(int calls) {
        return new Evidence(
                GoLibrary.run(),
                TailAtScale.run(),
                TwoCopies.run(calls),
                Redundancy.run(calls),
                SingleR.run(calls),
                BrownOut.run(),
                WhenToHedge.run());
    }
}
