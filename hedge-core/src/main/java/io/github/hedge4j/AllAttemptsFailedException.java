package io.github.hedge4j;

import java.io.Serial;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * A call all of whose attempts, at least two, failed. The cause is the failure that came last, the others are suppressed in this
 * exception; none of them is touched. Being a {@link CompletionException}, it is looked through to its cause by whatever looks through
 * those, Resilience4j's Retry and CircuitBreaker and the JDK among them.
 */
public class AllAttemptsFailedException extends CompletionException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String hedgeName;
    private final Throwable[] failures;

    /** False while the superclass's constructor runs, so that it takes no stack trace before this is known. */
    private final boolean writableStackTrace;

    /**
     * @param failures in attempt order
     * @param last the one of them that came last
     */
    AllAttemptsFailedException(String hedgeName, List<Throwable> failures, Throwable last, boolean writableStackTrace) {
        super(null, last);
        this.hedgeName = hedgeName;
        this.failures = failures.toArray(Throwable[]::new);
        this.writableStackTrace = writableStackTrace;
        fillInStackTrace();
        for (var failure : Failures.distinct(failures)) {
            if (failure != last) {
                addSuppressed(failure);
            }
        }
    }

    /** The name of the hedge that made the call. */
    public String getHedgeName() {
        return hedgeName;
    }

    /** What each attempt failed with, in the order of their numbers; unmodifiable. */
    public List<Throwable> getFailures() {
        return List.of(failures);
    }

    @Override
    public String getMessage() {
        return "Hedge '%s' failed on all %d attempts, at last with %s"
                .formatted(hedgeName, failures.length, getCause());
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return writableStackTrace ? super.fillInStackTrace() : this;
    }
}
