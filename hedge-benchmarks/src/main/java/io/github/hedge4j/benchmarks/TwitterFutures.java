package io.github.hedge4j.benchmarks;

import com.twitter.util.Future;
import com.twitter.util.Promise;

/** Those of Twitter's util, which Finagle is made for. */
final class TwitterFutures implements Futures<Future<Object>> {

    @Override
    public Future<Object> pending() {
        return new Promise<>();
    }

    @Override
    public Future<Object> succeeded() {
        return Future.value(VALUE);
    }

    @Override
    public Future<Object> failed() {
        return Future.exception(FAILURE);
    }

    @Override
    public void succeed(Future<Object> pending) {
        ((Promise<Object>) pending).setValue(VALUE);
    }

    @Override
    public boolean isDone(Future<Object> future) {
        return future.isDefined();
    }
}
