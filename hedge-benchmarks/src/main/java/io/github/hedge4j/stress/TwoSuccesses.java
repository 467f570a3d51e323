package io.github.hedge4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Primary and hedge succeed at the same time: the caller gets one, the other is cancelled or discarded, and one win is counted. */
@JCStressTest
@Outcome(id = "primary, nothing, 1", expect = ACCEPTABLE, desc = "the hedge was cancelled in time")
@Outcome(id = "primary, hedge, 1", expect = ACCEPTABLE, desc = "the hedge succeeded too late")
@Outcome(id = "hedge, nothing, 1", expect = ACCEPTABLE, desc = "the primary was cancelled in time")
@Outcome(id = "hedge, primary, 1", expect = ACCEPTABLE, desc = "the primary succeeded too late")
@State
public class TwoSuccesses {

    private final TwoAttempts call = new TwoAttempts(true);

    @Actor
    public void primarySucceeds() {
        call.primary.complete("primary");
    }

    @Actor
    public void hedgeSucceeds() {
        call.hedge.complete("hedge");
    }

    @Arbiter
    public void end(LLL_Result end) {
        call.end(end);
    }
}
