package io.github.hedge4j.vavr;

import static java.util.Objects.requireNonNull;

import io.vavr.concurrent.Future;
import io.vavr.control.Option;
import io.vavr.control.Try;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** A hedged call as Vavr's future. Its state is the call's, so that whatever ends the one ends the other. */
final class CallFuture<T> implements Future<T> {

    private final CompletableFuture<T> call;
    private final Executor executor;

    CallFuture(CompletableFuture<T> call, Executor executor) {
        this.call = call;
        this.executor = executor;
    }

    @Override
    public Future<T> await() {
        try {
            T unused = call.get();
        } catch (ExecutionException | CancellationException failed) {
            // the value says so
        } catch (InterruptedException interrupted) {
            endByInterrupt(interrupted);
        }
        return this;
    }

    @Override
    public Future<T> await(long timeout, TimeUnit unit) {
        requireNonNull(unit, "unit must not be null");
        if (timeout < 0) {
            throw new IllegalArgumentException("timeout must be >= 0, but was " + timeout);
        }
        try {
            T unused = call.get(timeout, unit);
        } catch (ExecutionException | CancellationException failed) {
            // the value says so
        } catch (TimeoutException late) {
            call.completeExceptionally(new TimeoutException("timeout after " + timeout + " " + unit));
        } catch (InterruptedException interrupted) {
            endByInterrupt(interrupted);
        }
        return this;
    }

    private void endByInterrupt(InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        call.completeExceptionally(new ExecutionException(interrupted));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        return !call.isDone() && call.cancel(mayInterruptIfRunning);
    }

    @Override
    public Executor executor() {
        return executor;
    }

    @Override
    @Deprecated
    public ExecutorService executorService() {
        if (executor instanceof ExecutorService service) {
            return service;
        }
        throw new UnsupportedOperationException("use executor()");
    }

    @Override
    public Option<Try<T>> getValue() {
        return call.isDone() ? Option.some(call.handle(VavrHedge::toTry).join()) : Option.none();
    }

    @Override
    public boolean isCancelled() {
        return call.isCancelled();
    }

    @Override
    public boolean isCompleted() {
        return call.isDone();
    }

    @Override
    public Future<T> onComplete(Consumer<? super Try<T>> action) {
        requireNonNull(action, "action must not be null");
        CompletionStage<?> unused =
                call.whenComplete((value, failure) -> perform(action, VavrHedge.toTry(value, failure)));
        return this;
    }

    /** On the executor, or right here if that refuses: what depends on the call must not be lost. */
    private void perform(Consumer<? super Try<T>> action, Try<T> end) {
        Runnable performed = () -> {
            try {
                action.accept(end);
            } catch (Throwable failed) { // as Vavr does
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, failed);
            }
        };
        try {
            executor.execute(performed);
        } catch (RuntimeException refused) {
            performed.run();
        }
    }

    @Override
    public String toString() {
        return stringPrefix() + "(" + getValue().map(Try::toString).getOrElse("?") + ")";
    }
}
