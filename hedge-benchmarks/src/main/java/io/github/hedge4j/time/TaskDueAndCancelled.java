package io.github.hedge4j.time;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A task is cancelled while the timer's thread takes it in and runs it: it runs, or the cancellation says that it never will. */
@JCStressTest
@Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "cancelled")
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "ran")
@State
public class TaskDueAndCancelled {

    /** Nobody wakes a thread that has a hand of its own in the test: an actor looks in its place. */
    private final SystemTimer timer = new SystemTimer(loop -> Thread.currentThread(), 0, 1);

    private final Timeout timeout = timer.schedule(this::run, 0);
    private int ran;
    private boolean cancelled;

    private void run() {
        ran++;
    }

    @Actor
    public void cancel() {
        cancelled = timeout.cancel();
    }

    @Actor
    public void look() {
        lookTwice();
    }

    @Arbiter
    public void end(II_Result end) {
        lookTwice();
        end.r1 = ran;
        end.r2 = cancelled ? 1 : 0;
    }

    /** The first look takes the task in, the second runs it. */
    private void lookTwice() {
        timer.look(timer.nanoTime());
        timer.look(timer.nanoTime());
    }
}
