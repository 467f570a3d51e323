package io.github.hedge4j.examples.simulation;

/**
 * Who asks: calls that arrive at random (a Poisson process), whether earlier ones are done or not.
 *
 * @param perSecond how many on average
 * @param calls how many in all
 * @param warmUp how many of them are not counted, while queues fill and delays are learnt
 * @param goodMillis the latency up to which a call counts as good
 * @param seed where chance starts
 */
record Traffic(double perSecond, int calls, int warmUp, double goodMillis, long seed) {

    static Traffic perSecond(double perSecond, int calls) {
        return new Traffic(perSecond, calls, 0, Double.POSITIVE_INFINITY, 1);
    }

    /** As many calls as keep this share of the backend busy if none is hedged. */
    static Traffic load(double load, Backend backend, int calls) {
        return perSecond(load * backend.capacityPerSecond(), calls);
    }

    Traffic withWarmUp(int newWarmUp) {
        return new Traffic(perSecond, calls, newWarmUp, goodMillis, seed);
    }

    Traffic withGood(double newGoodMillis) {
        return new Traffic(perSecond, calls, warmUp, newGoodMillis, seed);
    }

    Traffic withSeed(long newSeed) {
        return new Traffic(perSecond, calls, warmUp, goodMillis, newSeed);
    }
}
