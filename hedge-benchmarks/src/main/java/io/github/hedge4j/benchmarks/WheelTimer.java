package io.github.hedge4j.benchmarks;

import com.twitter.util.Duration;
import com.twitter.util.Time;
import com.twitter.util.Timer;
import com.twitter.util.TimerTask;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import scala.Function0;
import scala.runtime.BoxedUnit;

/** Finagle's timer as its Netty module makes it, a hashed wheel, but for a finer tick. What is periodic is run by hand. */
final class WheelTimer implements Timer {

    private final HashedWheelTimer wheel =
            new HashedWheelTimer(new DefaultThreadFactory("wheel", true), 1, TimeUnit.MILLISECONDS);

    private final List<Function0<BoxedUnit>> periodic = new ArrayList<>();

    @Override
    public TimerTask scheduleOnce(Time when, Function0<BoxedUnit> task) {
        long nanos = when.minus(Time.now()).inNanoseconds();
        Timeout timeout = wheel.newTimeout(ignored -> task.apply(), nanos, TimeUnit.NANOSECONDS);
        return timeout::cancel;
    }

    @Override
    public TimerTask schedulePeriodically(Time when, Duration period, Function0<BoxedUnit> task) {
        periodic.add(task);
        return () -> {};
    }

    void runPeriodicTasks() {
        periodic.forEach(Function0::apply);
    }

    @Override
    public void stop() {
        wheel.stop();
    }
}
