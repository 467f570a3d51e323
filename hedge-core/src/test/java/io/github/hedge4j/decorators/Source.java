package io.github.hedge4j.decorators;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The work at the bottom of a chain: a future that notes how it is cancelled. */
final class Source extends CompletableFuture<String> {

    final List<Boolean> cancelledWith = new ArrayList<>();

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        cancelledWith.add(mayInterruptIfRunning);
        return super.cancel(mayInterruptIfRunning);
    }
}
