package io.github.hedge4j.benchmarks.report;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.benchmarks.Subject;
import io.github.hedge4j.benchmarks.Timers;
import java.util.List;
import java.util.Map;

/** All that one run has measured. */
record Results(Measurements times, Map<Timers, List<Spread>> lateness, Map<Subject, Map<Integer, HeapUse>> heap) {

    /** p50 and p99 in nanoseconds. */
    List<Spread> lateness(Timers timer) {
        return requireNonNull(lateness.get(timer));
    }

    /** What a subject keeps for so many calls, apart from their primaries and what the measuring itself keeps. */
    HeapUse heapBeyondRaw(Subject subject, int calls) {
        return heap(subject, calls).minus(heap(subject.raw(), calls));
    }

    private HeapUse heap(Subject subject, int calls) {
        return requireNonNull(requireNonNull(heap.get(subject)).get(calls));
    }
}
