package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.CallOutcome;
import io.github.hedge4j.CallReport;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.budget.TokenBalance;
import io.github.hedge4j.event.CallEnded;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Configurations that the experiments compare, and two habits of other libraries, made of this one's parts, to compare with. */
final class Policies {

    private Policies() {}

    static HedgeConfig none() {
        return HedgeConfig.custom().maxAttempts(1).build();
    }

    /** So many attempts at once. */
    static HedgeConfig racing(int attempts) {
        return HedgeConfig.racing(attempts);
    }

    static HedgeConfig fixed(double millis, HedgeBudget budget) {
        return HedgeConfig.custom()
                .delay(HedgeDelay.fixed(ms(millis)))
                .budget(budget)
                .build();
    }

    static HedgeConfig percentile(double p, int maxAttempts, HedgeBudget budget) {
        return HedgeConfig.custom()
                .delay(HedgeDelay.percentile(p))
                .maxAttempts(maxAttempts)
                .budget(budget)
                .build();
    }

    static HedgeConfig within(HedgeConfig config, double timeoutMillis) {
        return HedgeConfig.from(config).timeout(ms(timeoutMillis)).build();
    }

    /** Reissue after a delay with a probability (Kaler, He and Elnikety, 2017): a coin in the place of the budget. */
    static HedgeConfig singleR(double delayMillis, double probability, long seed) {
        return fixed(delayMillis, timer -> new Coin(probability, new SplittableRandom(seed)));
    }

    /** A delay at the 95th percentile of the latencies that winners had, which is what is at hand if losers are forgotten. */
    static Policy winnersOnly(HedgeConfig base) {
        return new Policy("p95 of winners", timer -> {
            Winners winners = new Winners();
            HedgeConfig config = HedgeConfig.from(base)
                    .delay(HedgeDelay.perAttempt(number -> winners.delay()))
                    .budget(HedgeBudget.unlimited())
                    .build();
            Hedge hedge = Hedge.of("winners", Policy.on(timer, config));
            hedge.getEventPublisher().onCallEnded(winners::ended);
            return hedge;
        });
    }

    /**
     * What gRPC does against storms (its proposal A6): a failed call costs a token, a successful one earns a tenth, and hedges start
     * while more than half of 100 tokens are there. Hedges themselves cost nothing.
     */
    static Policy throttledOnFailure(HedgeConfig base) {
        return new Policy("fixed, throttled on failure", timer -> {
            Throttle throttle = new Throttle();
            HedgeConfig config =
                    HedgeConfig.from(base).budget(clock -> throttle).build();
            Hedge hedge = Hedge.of("throttled", Policy.on(timer, config));
            hedge.getEventPublisher().onCallEnded(throttle::ended);
            return hedge;
        });
    }

    static Duration ms(double millis) {
        return Duration.ofNanos(Math.round(millis * 1e6));
    }

    private record Coin(double probability, SplittableRandom random) implements TokenBalance {

        @Override
        public boolean tryTake(long nowNanos) {
            return random.nextDouble() < probability;
        }

        @Override
        public void giveBack() {}

        @Override
        public void credit() {}

        @Override
        public double available(long nowNanos) {
            return probability;
        }
    }

    private static final class Throttle implements TokenBalance {

        private static final int FULL = 1_000; // tenths of a token

        private int tenths = FULL;

        void ended(CallEnded event) {
            if (event.report().outcome() != CallOutcome.SUCCESS) {
                tenths = Math.max(0, tenths - 10);
            }
        }

        @Override
        public boolean tryTake(long nowNanos) {
            return tenths > FULL / 2;
        }

        @Override
        public void giveBack() {}

        @Override
        public void credit() {
            tenths = Math.min(FULL, tenths + 1);
        }

        @Override
        public double available(long nowNanos) {
            return tenths / 10.0;
        }
    }

    private static final class Winners {

        private static final int KEPT = 2_000;
        private static final int EVERY = 100;
        private static final Duration NEVER = Duration.ofDays(1);

        private final long[] nanos = new long[KEPT];
        private int seen;
        private Duration delay = NEVER;

        void ended(CallEnded event) {
            CallReport report = event.report();
            if (report.winner().isEmpty()) {
                return;
            }
            var winner = report.attempts().get(report.winner().getAsInt());
            nanos[seen++ % KEPT] =
                    winner.end().orElseThrow().minus(winner.start()).toNanos();
            if (seen % EVERY == 0) {
                long[] sorted = Arrays.copyOf(nanos, Math.min(seen, KEPT));
                Arrays.sort(sorted);
                delay = Duration.ofNanos(sorted[(int) (0.95 * sorted.length)]);
            }
        }

        Duration delay() {
            return delay;
        }
    }
}
