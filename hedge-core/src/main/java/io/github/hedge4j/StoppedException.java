package io.github.hedge4j;

import java.io.Serial;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Work that was cancelled because its stop signal completed. The cause is what the signal failed with, if it did. */
public class StoppedException extends CancellationException {

    @Serial
    private static final long serialVersionUID = 1L;

    StoppedException(@Nullable Throwable signalFailure) {
        super("The stop signal completed before the work did");
        initCause(signalFailure);
    }
}
