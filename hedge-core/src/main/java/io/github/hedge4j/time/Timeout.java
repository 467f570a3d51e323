package io.github.hedge4j.time;

/** The handle of one scheduled task. Safe for many threads. */
@FunctionalInterface
public interface Timeout {

    /**
     * Takes the task back. At most one of all calls returns true, and none does once the task has begun. Never blocks
     * and never waits for a running task. Whatever it returns, the timer holds the task no longer.
     *
     * @return true if the task had not begun and now never will; false if it began or was cancelled before
     */
    boolean cancel();
}
