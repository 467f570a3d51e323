package io.github.hedge4j.benchmarks.report;

/** Bytes per call, while it is in flight and when it has ended. */
record HeapUse(double inFlight, double afterwards) {

    HeapUse minus(HeapUse other) {
        return new HeapUse(inFlight - other.inFlight, afterwards - other.afterwards);
    }
}
