package io.github.hedge4j;

/**
 * How the attempts on one target have ended so far.
 *
 * @param successes attempts that completed with an acceptable result, whether or not their call got it
 * @param failures attempts that failed, or completed with a result that {@link HedgeConfig#getHedgeOnResult()} refused
 * @param cancelled attempts that ended as cancelled, or were given up on, because their call had ended
 * @param wins attempts whose result their call got
 */
public record TargetMetrics(long successes, long failures, long cancelled, long wins) {}
