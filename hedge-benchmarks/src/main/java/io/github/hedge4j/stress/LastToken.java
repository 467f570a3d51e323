package io.github.hedge4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.hedge4j.budget.RatioBalance;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/** Two hedges want the last token, and one gets it. */
@JCStressTest
@Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the first")
@Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the second")
@State
public class LastToken {

    private final RatioBalance balance = new RatioBalance(0.5, 1, 0, 0);

    @Actor
    public void first(ZZI_Result end) {
        end.r1 = balance.tryTake(0);
    }

    @Actor
    public void second(ZZI_Result end) {
        end.r2 = balance.tryTake(0);
    }

    @Arbiter
    public void left(ZZI_Result end) {
        end.r3 = (int) balance.available(0);
    }
}
