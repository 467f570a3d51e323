package io.github.hedge4j;

/**
 * How the attempts on one target have ended so far.
 *
 * @param successes attempts that completed with an acceptable result, whether or not their call got it
 * @param failures attempts that failed, or completed with a result that {@link HedgeConfig#getHedgeOnResult()} refused
 * @param cancelled attempts that were cancelled because their call had ended, whether or not they responded to it
 * @param wins attempts whose result their call got
 */
public record TargetMetrics(long successes, long failures, long cancelled, long wins) {}
