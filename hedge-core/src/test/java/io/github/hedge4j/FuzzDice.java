package io.github.hedge4j;

import java.util.SplittableRandom;

/** A script's choices, in the order in which they are asked for. Safe for many threads. */
final class FuzzDice {

    private final SplittableRandom random;

    FuzzDice(long seed) {
        random = new SplittableRandom(seed);
    }

    synchronized int below(int bound) {
        return random.nextInt(bound);
    }

    boolean chance(int percent) {
        return below(100) < percent;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // read only
    final <E> E oneOf(E... elements) {
        return elements[below(elements.length)];
    }
}
