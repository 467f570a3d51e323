package io.github.hedge4j;

/** How a call ended. */
public enum CallOutcome {
    /** The caller got the result of an attempt. */
    SUCCESS,
    /** No attempt succeeded and none was left to start. */
    FAILURE,
    /** The deadline passed first. */
    TIMEOUT,
    /** The returned future was ended from outside: cancelled, or completed by somebody else. */
    CANCELLED
}
