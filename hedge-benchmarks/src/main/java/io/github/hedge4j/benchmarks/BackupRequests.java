package io.github.hedge4j.benchmarks;

import com.twitter.finagle.Service;
import com.twitter.finagle.client.BackupRequestFilter;
import com.twitter.finagle.service.ResponseClassifier;
import com.twitter.finagle.service.RetryBudget;
import com.twitter.finagle.stats.NullStatsReceiver;
import com.twitter.util.Future;
import com.twitter.util.tunable.Tunable;
import java.util.function.Supplier;

/** Finagle's hedge, with as much extra load as ours by default and the same least delay. */
final class BackupRequests implements Decorator<Future<Object>> {

    private static final double USUAL_EXTRA_LOAD = 0.10;
    private static final double MOST_EXTRA_LOAD = 0.99;

    /** A delay above the longest latency that its histogram tracks would switch it off. */
    private static final int LONGEST_LATENCY_MILLIS = 7_200_000;

    private final BackupRequestFilter<Object, Object> filter;

    BackupRequests(Terms terms) {
        WheelTimer timer = new WheelTimer();
        filter = new BackupRequestFilter<>(
                Tunable.<Object>mutable("extra load", terms.everyCallHedges() ? MOST_EXTRA_LOAD : USUAL_EXTRA_LOAD),
                true,
                (int) terms.delay().toMillis(),
                ResponseClassifier.Default(),
                RetryBudget.Infinite(),
                1,
                LONGEST_LATENCY_MILLIS,
                NullStatsReceiver.get(),
                timer,
                "backend");
        timer.runPeriodicTasks(); // it sends nothing before it has looked at its percentile for the first time
        if (filter.sendBackupAfterDuration().inMillis() != terms.delay().toMillis()) {
            throw new IllegalStateException("a backup would be sent after " + filter.sendBackupAfterDuration());
        }
    }

    @Override
    public Supplier<Future<Object>> decorate(Supplier<Future<Object>> supplier) {
        Service<Object, Object> service = filter.andThen(new Service<>() {
            @Override
            public Future<Object> apply(Object request) {
                return supplier.get();
            }
        });
        return () -> service.apply("request");
    }
}
