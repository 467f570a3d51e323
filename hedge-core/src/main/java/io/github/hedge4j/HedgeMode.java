package io.github.hedge4j;

/** Whether a hedge hedges. */
public enum HedgeMode {
    /** Hedges are started as delay and budget say. */
    ACTIVE,
    /**
     * No hedge is started. Latencies are learnt, and each hedge that would have been started is counted as denied, under
     * {@link DenialReason#SHADOW}.
     */
    SHADOW,
    /** As if {@link HedgeConfig#getMaxAttempts()} were 1: no hedge is started and none is denied. The deadline still holds. */
    OFF
}
