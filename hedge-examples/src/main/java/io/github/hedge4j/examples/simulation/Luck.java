package io.github.hedge4j.examples.simulation;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * All chance in a simulation, from one seed. Each purpose has a stream of its own, and so has each attempt of each call: whatever a
 * policy does, its calls arrive when those of another policy do, and their attempts meet the same service times.
 */
record Luck(long seed) {

    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;
    private static final int MOST_ATTEMPTS = 1 << 10;

    /** When calls arrive. */
    RandomGenerator arrivals() {
        return stream(-1);
    }

    /** What one attempt of a call meets. */
    RandomGenerator attempt(int call, int number) {
        return stream((long) call * MOST_ATTEMPTS + number);
    }

    private RandomGenerator stream(long purpose) {
        return new SplittableRandom(mix(seed + GOLDEN_RATIO * (purpose + 2)));
    }

    /** Variant 13 of Stafford's finalizers: streams of neighbouring purposes start far from each other. */
    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
