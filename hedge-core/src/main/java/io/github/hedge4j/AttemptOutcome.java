package io.github.hedge4j;

/** How an attempt ended. */
public enum AttemptOutcome {
    /** It completed with a result that counts as success. */
    SUCCESS,
    /** It completed with a result that {@link HedgeConfig#getHedgeOnResult()} refused. */
    REJECTED_RESULT,
    /** Its supplier threw or its stage completed exceptionally. */
    FAILURE,
    /** The call ended first, and this attempt as cancelled; or it has not ended yet and is not needed any more. */
    CANCELLED,
    /** The call ended first and this attempt had not ended by the end of {@link HedgeConfig#getLoserGrace()}. */
    UNRESPONSIVE
}
