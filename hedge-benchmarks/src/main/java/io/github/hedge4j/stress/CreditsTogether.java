package io.github.hedge4j.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import io.github.hedge4j.budget.RatioBalance;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two calls are credited half a token each, which pays for one hedge and no more. */
@JCStressTest
@Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "both count")
@State
public class CreditsTogether {

    private final RatioBalance balance = new RatioBalance(0.5, 10, 0, 0);

    public CreditsTogether() {
        boolean unused = balance.tryTake(0); // the token that it opens with
    }

    @Actor
    public void first() {
        balance.credit();
    }

    @Actor
    public void second() {
        balance.credit();
    }

    @Arbiter
    public void hedge(II_Result end) {
        end.r1 = balance.tryTake(0) ? 1 : 0;
        end.r2 = balance.tryTake(0) ? 1 : 0;
    }
}
