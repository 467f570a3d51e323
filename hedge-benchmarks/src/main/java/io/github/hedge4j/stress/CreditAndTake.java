package io.github.hedge4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.hedge4j.budget.RatioBalance;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** A credit meets a take at a balance that one token fills: it counts if it comes after the take, and is lost if before. */
@JCStressTest
@Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "credited while full, for nothing")
@Outcome(id = "true, 1", expect = ACCEPTABLE, desc = "credited when there was room")
@State
public class CreditAndTake {

    private final RatioBalance balance = new RatioBalance(1, 1, 0, 0);

    @Actor
    public void credit() {
        balance.credit();
    }

    @Actor
    public void take(ZI_Result end) {
        end.r1 = balance.tryTake(0);
    }

    @Arbiter
    public void left(ZI_Result end) {
        end.r2 = (int) balance.available(0);
    }
}
