package io.github.hedge4j.examples.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What answers: equal replicas, each a queue, first come, first served.
 *
 * @param law how long an answer takes once work on it begins
 * @param hedgeLaw the same for hedges, usually the same law
 * @param replicas how many there are; every attempt of a call asks another one, at random
 * @param slots how many requests a replica works on at a time, unslowed by each other
 * @param cancels whether a request that its client gives up is dropped, waiting or begun; otherwise it is worked on to the end
 * @param likeness how much of its primary's work each hedge meets again, on top of its own: 0 if attempts are independent
 * @param troubles bad times
 */
record Backend(
        Law law, Law hedgeLaw, int replicas, int slots, boolean cancels, double likeness, List<Trouble> troubles) {

    private static final int PLENTY = 1_000;

    /** Replicas that never queue, so that an attempt takes what the law says. */
    static Backend idle(Law law) {
        return new Backend(law, law, PLENTY, Integer.MAX_VALUE, true, 0, List.of());
    }

    static Backend queues(Law law, int replicas, int slots) {
        return new Backend(law, law, replicas, slots, false, 0, List.of());
    }

    Backend cancelling() {
        return new Backend(law, hedgeLaw, replicas, slots, true, likeness, troubles);
    }

    Backend withHedgeLaw(Law newHedgeLaw) {
        return new Backend(law, newHedgeLaw, replicas, slots, cancels, likeness, troubles);
    }

    Backend withLikeness(double newLikeness) {
        return new Backend(law, hedgeLaw, replicas, slots, cancels, newLikeness, troubles);
    }

    Backend with(Trouble trouble) {
        List<Trouble> more = new ArrayList<>(troubles);
        more.add(trouble);
        return new Backend(law, hedgeLaw, replicas, slots, cancels, likeness, List.copyOf(more));
    }

    /** How many answers a second would keep it busy without a pause. */
    double capacityPerSecond() {
        return 1_000.0 / law.meanMillis() * replicas * slots;
    }
}
