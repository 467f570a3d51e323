package io.github.hedge4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule E1 on random scripts of one thread, in every interval of each. */
class RatioBalanceIntervalTest {

    private static final int STEPS = 5_000;

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void inEveryIntervalHedgesStayWithinBurstPlusWhatWasEarned(long seed) {
        var script = new Script(seed);
        var balance = script.balance();

        // Of all intervals that end with this step, the largest excess of tokens taken over tokens earned.
        BigInteger excess = BigInteger.ZERO;
        for (int step = 0; step < STEPS; step++) {
            excess = excess.max(BigInteger.ZERO).add(script.step(balance));

            assertThat(excess).as("step %d of %s", step, script).isLessThanOrEqualTo(script.burst());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyAnswerIsThatOfAPlainBucket(long seed) {
        var script = new Script(seed);
        var balance = script.balance();
        var sameScript = new Script(seed);
        var bucket = sameScript.bucket();

        for (int step = 0; step < STEPS; step++) {
            assertThat(script.step(balance)).as("step %d of %s", step, script).isEqualTo(sameScript.step(bucket));
            assertThat(balance.available(script.nowNanos))
                    .as("step %d of %s", step, script)
                    .isEqualTo(bucket.available(script.nowNanos));
        }
    }

    /** Random numbers for a balance, and random things to do to it: phases of mostly takes, mostly credits, or both. */
    private static final class Script {

        private static final BigInteger BILLION = BigInteger.valueOf(1_000_000_000);
        private static final BigInteger TOKEN = BILLION.multiply(BILLION);

        private final RandomGenerator random;
        private final long ratio;
        private final int burst;
        private final long perSecond;
        private final String numbers;

        private long nowNanos;
        private long latestNanos;
        private int takesPerTenSteps;

        Script(long seed) {
            random = new SplittableRandom(seed);
            ratio = random.nextBoolean() ? 100_000_000L * random.nextInt(13) : random.nextLong(1_500_000_000L);
            burst = random.nextInt(1, 8);
            perSecond = random.nextBoolean() ? 0 : random.nextLong(3_000_000_000L);
            nowNanos = random.nextLong();
            latestNanos = nowNanos;
            numbers = "seed %d: ratio %d, burst %d, per second %d (10^-9), start %d"
                    .formatted(seed, ratio, burst, perSecond, nowNanos);
        }

        TokenBalance balance() {
            return new RatioBalance(ratio / 1e9, burst, perSecond / 1e9, nowNanos);
        }

        TokenBalance bucket() {
            return new TextbookBucket(ratio, burst, perSecond, nowNanos);
        }

        BigInteger burst() {
            return TOKEN.multiply(BigInteger.valueOf(burst));
        }

        /**
         * Does the next thing and returns the tokens it took less those it may have earned, in 10^-18. Time is what
         * the balance is told of it: the step from the latest reading that it got so far.
         */
        BigInteger step(TokenBalance balance) {
            nowNanos += random.nextLong((long) Math.pow(10, random.nextInt(1, 10)));
            if (random.nextInt(100) == 0) {
                takesPerTenSteps = random.nextInt(11);
            }
            if (random.nextInt(10) >= takesPerTenSteps) {
                balance.credit();
                return BigInteger.valueOf(ratio).multiply(BILLION).negate();
            }
            boolean staleClock = random.nextInt(4) == 0;
            boolean unused = random.nextInt(8) == 0;
            long reading = staleClock ? nowNanos - random.nextLong(1_000_000_000) : nowNanos;
            long elapsedNanos = Math.max(0, reading - latestNanos);
            latestNanos += elapsedNanos;

            boolean taken = balance.tryTake(reading);
            if (taken && unused) {
                balance.giveBack();
            }
            BigInteger earned = BigInteger.valueOf(elapsedNanos).multiply(BigInteger.valueOf(perSecond));
            return (taken && !unused ? TOKEN : BigInteger.ZERO).subtract(earned);
        }

        @Override
        public String toString() {
            return numbers;
        }
    }
}
