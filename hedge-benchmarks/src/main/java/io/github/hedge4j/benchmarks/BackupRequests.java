package io.github.hedge4j.benchmarks;

import com.twitter.finagle.Service;
import com.twitter.finagle.client.BackupRequestFilter;
import com.twitter.finagle.client.BackupRequestFilter$;
import com.twitter.finagle.service.ResponseClassifier;
import com.twitter.finagle.service.RetryBudget;
import com.twitter.finagle.stats.NullStatsReceiver;
import com.twitter.finagle.util.WindowedPercentileHistogram;
import com.twitter.finagle.util.WindowedPercentileHistogram$;
import com.twitter.util.Future;
import com.twitter.util.Stopwatch;
import com.twitter.util.tunable.Tunable;
import java.util.function.Supplier;
import scala.Function0;

/** Finagle's hedge, with as much extra load as ours by default and the same least delay. */
final class BackupRequests implements Decorator<Future<Object>> {

    private static final double EXTRA_LOAD = 0.10;

    /** More than any delay here: a delay above the longest latency that it tracks would switch it off. */
    private static final int LONGEST_LATENCY_MILLIS = 7_200_000;

    private final BackupRequestFilter<Object, Object> filter;

    BackupRequests(Terms terms) {
        WheelTimer timer = new WheelTimer();
        filter = new BackupRequestFilter<>(
                Tunable.<Object>mutable("extra load", EXTRA_LOAD),
                true,
                (int) terms.delay().toMillis(),
                ResponseClassifier.Default(),
                (load, nowMillis) -> terms.everyCallHedges() ? RetryBudget.Infinite() : usualBudget(load, nowMillis),
                RetryBudget.Infinite(),
                Stopwatch.systemMillis(),
                NullStatsReceiver.get(),
                timer,
                () -> histogram(timer),
                "backend");
        timer.runPeriodicTasks(); // it sends nothing before it has looked at its percentile for the first time
        if (filter.sendBackupAfterDuration().inMillis() != terms.delay().toMillis()) {
            throw new IllegalStateException("a backup would be sent after " + filter.sendBackupAfterDuration());
        }
    }

    private static RetryBudget usualBudget(Object extraLoad, Function0<Object> nowMillis) {
        return BackupRequestFilter$.MODULE$.newRetryBudget((Double) extraLoad, nowMillis);
    }

    private static WindowedPercentileHistogram histogram(WheelTimer timer) {
        WindowedPercentileHistogram$ usual = WindowedPercentileHistogram$.MODULE$;
        return new WindowedPercentileHistogram(
                usual.DefaultNumBuckets(),
                usual.DefaultBucketSize(),
                usual.DefaultLowestDiscernibleValue(),
                LONGEST_LATENCY_MILLIS,
                timer);
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
