package io.github.hedge4j;

/** Why a hedge that was due was not started. Every such hedge is counted under exactly one reason. */
public enum DenialReason {
    /** Too few latencies were known for a delay, and no initial delay was configured. */
    COLD,
    /** The budget was spent. */
    BUDGET,
    /** As many hedges were in flight as {@link HedgeConfig#getMaxConcurrentHedges()} allows. */
    CONCURRENCY,
    /** Its delay would have ended at or past the call's deadline. */
    DEADLINE,
    /** A failure told to stop: {@link HedgeConfig#getStopHedgingOn()}. */
    PUSHBACK,
    /** Every target of the call had its attempt already. */
    NO_TARGET,
    /** The executor refused it. */
    EXECUTOR,
    /** The hedge is in {@link HedgeMode#SHADOW}: it would have been started. */
    SHADOW,
    /** User code that has a say in it threw: the delay, the budget or a predicate. */
    ERROR
}
