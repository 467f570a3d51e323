package io.github.hedge4j;

import java.io.Serial;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** A call that had not succeeded by its deadline. What attempts failed with until then is suppressed in it. */
public class HedgeTimeoutException extends TimeoutException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String hedgeName;

    /** False while the superclass's constructor runs, so that it takes no stack trace before this is known. */
    private final boolean writableStackTrace;

    HedgeTimeoutException(String hedgeName, Duration timeout, List<Throwable> failures, boolean writableStackTrace) {
        super("Hedge '%s' did not succeed within %s".formatted(hedgeName, timeout));
        this.hedgeName = hedgeName;
        this.writableStackTrace = writableStackTrace;
        fillInStackTrace();
        Failures.distinct(failures).forEach(this::addSuppressed);
    }

    /** The name of the hedge that made the call. */
    public String getHedgeName() {
        return hedgeName;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return writableStackTrace ? super.fillInStackTrace() : this;
    }
}
