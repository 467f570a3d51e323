package io.github.hedge4j.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class DelayRuleTest {
    @Test
    void fixedDelayIsTheSameForEveryAttempt() {
        var rule = DelayRule.fixed(50);

        assertThat(rule.delayNanos(1)).isEqualTo(50);
        assertThat(rule.delayNanos(7)).isEqualTo(50);
        assertThat(rule.learns()).isFalse();
    }

    @Test
    void fixedDelayMayBeZeroOrNone() {
        assertThat(DelayRule.fixed(0).delayNanos(1)).isZero();
        assertThat(DelayRule.fixed(DelayRule.NONE).delayNanos(1)).isEqualTo(DelayRule.NONE);
    }

    @Test
    void fixedDelayIsNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayRule.fixed(-1))
                .withMessage("delay must be >= 0 ns, but was -1");
    }

    @Test
    void rulesThatDoNotLearnTakeNoNotice() {
        var rule = DelayRule.fixed(50);

        rule.completed(10, 50);
        rule.exceeded(50);

        assertThat(rule.delayNanos(1)).isEqualTo(50);
    }
}
