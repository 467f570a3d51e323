package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.time.Timeout;
import io.github.hedge4j.time.VirtualTimer;
import java.io.Serial;
import java.net.ConnectException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A queue with slots at its head. A request is a future; cancelling it is what the client hanging up would be. */
final class Replica {

    private final int number;
    private final Backend backend;
    private final VirtualTimer timer;
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private int working;
    private long busyNanos;

    Replica(int number, Backend backend, VirtualTimer timer) {
        this.number = number;
        this.backend = backend;
        this.timer = timer;
    }

    /** Ends with this replica's number when {@code workNanos} of work are done. */
    CompletableFuture<Integer> ask(long workNanos) {
        if (isDown()) {
            return CompletableFuture.failedFuture(new ConnectException("replica " + number + " is down"));
        }
        Request request = new Request(workNanos);
        if (working < backend.slots()) {
            request.begin();
        } else {
            waiting.add(request);
        }
        return request;
    }

    /** The time it has worked, summed over its slots. */
    long busyNanos() {
        return busyNanos;
    }

    boolean isIdle() {
        return working == 0 && waiting.isEmpty();
    }

    private boolean isDown() {
        return troubles().stream().anyMatch(trouble -> trouble.down() && trouble.hits(number, timer.nanoTime()));
    }

    private double slowness() {
        double factor = 1;
        for (Trouble trouble : troubles()) {
            factor *= trouble.hits(number, timer.nanoTime()) ? trouble.factor() : 1;
        }
        return factor;
    }

    private List<Trouble> troubles() {
        return backend.troubles();
    }

    /** A slot is free: the next request that is still wanted gets it. */
    private void next() {
        Request next = waiting.poll();
        while (next != null && next.isDone() && backend.cancels()) {
            next = waiting.poll();
        }
        if (next != null) {
            next.begin();
        }
    }

    private final class Request extends CompletableFuture<Integer> {

        private final long workNanos;
        private long begunNanos;
        private @Nullable Timeout work;

        Request(long workNanos) {
            this.workNanos = workNanos;
        }

        void begin() {
            working++;
            begunNanos = timer.nanoTime();
            work = timer.schedule(this::finish, Math.round(workNanos * slowness()));
        }

        private void finish() {
            leave();
            complete(number);
        }

        private void leave() {
            work = null;
            working--;
            busyNanos += timer.nanoTime() - begunNanos;
            next();
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = completeExceptionally(new HungUp());
            Timeout begun = work;
            if (cancelled && backend.cancels() && begun != null && begun.cancel()) {
                leave();
            }
            return cancelled;
        }
    }

    /** As {@link CompletableFuture#cancel} would make one, but without a stack trace, which takes longer than all the rest. */
    private static final class HungUp extends CancellationException {

        @Serial
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }
}
