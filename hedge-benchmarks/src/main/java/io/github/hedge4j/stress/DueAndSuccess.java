package io.github.hedge4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The primary succeeds while its hedge starts, and the hedge never would: it starts and is cancelled, or does not start. */
@JCStressTest
@Outcome(id = "primary, nothing, 1", expect = ACCEPTABLE, desc = "nothing is left of the hedge")
@State
public class DueAndSuccess {

    private final TwoAttempts call = new TwoAttempts(false);

    @Actor
    public void primarySucceeds() {
        call.primary.complete("primary");
    }

    @Actor
    public void delayIsOver() {
        call.passDelay();
    }

    @Arbiter
    public void end(LLL_Result end) {
        call.end(end);
    }
}
