package io.github.hedge4j.examples.simulation;

/**
 * A bad time that the first so many replicas share: work begun in it takes {@code factor} times as long, or, if they are down, every
 * request fails at once.
 */
record Trouble(double fromSecond, double untilSecond, int replicas, double factor, boolean down) {

    static Trouble slow(double fromSecond, double untilSecond, int replicas, double factor) {
        return new Trouble(fromSecond, untilSecond, replicas, factor, false);
    }

    static Trouble outage(double fromSecond, double untilSecond, int replicas) {
        return new Trouble(fromSecond, untilSecond, replicas, 1, true);
    }

    boolean hits(int replica, long nowNanos) {
        double second = nowNanos / 1e9;
        return replica < replicas && second >= fromSecond && second < untilSecond;
    }

    /** In words. */
    String describe() {
        String who = replicas == Integer.MAX_VALUE ? "all replicas" : "the first " + replicas + " replicas";
        String what = down ? who + " refuse every request" : who + " take " + factor + " times as long";
        return "From second " + fromSecond + " to " + untilSecond + " " + what;
    }
}
