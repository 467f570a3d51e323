package io.github.hedge4j;

import java.io.Serial;
import java.util.concurrent.CancellationException;

/** A call that was cancelled because a newer one took its place. */
public class SupersededException extends CancellationException {

    @Serial
    private static final long serialVersionUID = 1L;

    SupersededException() {
        super("A newer call took the place of this one");
    }
}
