package io.github.hedge4j.benchmarks.report;

import java.util.List;

/** Bytes per call, while it is in flight and when it has ended. */
record HeapUse(Spread inFlight, Spread afterwards) {

    /** From what so many calls took, in several rounds. */
    static HeapUse of(List<List<Double>> bytes, int calls) {
        double share = 1.0 / calls;
        return new HeapUse(
                Spread.of(bytes.get(0)).times(share), Spread.of(bytes.get(1)).times(share));
    }

    HeapUse minus(HeapUse other) {
        return new HeapUse(inFlight.minus(other.inFlight), afterwards.minus(other.afterwards));
    }
}
