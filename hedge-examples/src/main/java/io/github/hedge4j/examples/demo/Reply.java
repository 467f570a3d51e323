package io.github.hedge4j.examples.demo;

/** What a replica does with one request: answer with this HTTP status, this many nanoseconds after it came in. */
public record Reply(long delayNanos, int status) {

    /** The usual answer. */
    public static Reply ok(long delayNanos) {
        return new Reply(delayNanos, 200);
    }
}
