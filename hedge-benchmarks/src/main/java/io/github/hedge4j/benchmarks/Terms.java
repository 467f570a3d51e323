package io.github.hedge4j.benchmarks;

import java.time.Duration;

/**
 * What all subjects are set to alike.
 *
 * @param delay until a hedge starts; for those that do not hedge, until they give up
 * @param everyCallHedges whether the hedges' budgets have to let every call be hedged, instead of one in ten at most
 */
record Terms(Duration delay, boolean everyCallHedges) {

    /** Longer than any call of the benchmark that only arms a timer. */
    static final Terms USUAL = new Terms(Duration.ofMillis(100), false);
}
