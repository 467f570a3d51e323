package io.github.hedge4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The caller cancels while the primary succeeds: one of the two is what happened, and a value that nobody gets is discarded. */
@JCStressTest
@Outcome(id = "primary, nothing, 1", expect = ACCEPTABLE, desc = "cancelled too late")
@Outcome(id = "CancellationException, nothing, 1", expect = ACCEPTABLE, desc = "both attempts were cancelled in time")
@Outcome(id = "CancellationException, primary, 1", expect = ACCEPTABLE, desc = "the primary succeeded too late")
@State
public class SuccessAndCancel {

    private final TwoAttempts call = new TwoAttempts(true);

    @Actor
    public void primarySucceeds() {
        call.primary.complete("primary");
    }

    @Actor
    public void callerCancels() {
        call.result.cancel(true);
    }

    @Arbiter
    public void end(LLL_Result end) {
        call.end(end);
    }
}
