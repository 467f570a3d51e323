package io.github.hedge4j.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class ComparisonTest {

    private static final int CALLS = 300;

    private final LongAdder steps = new LongAdder();
    private final List<String> announced = Collections.synchronizedList(new ArrayList<>());

    @Test
    void hedgingCutsTheTailAtAFewPercentOfRacingsLoad() throws InterruptedException {
        var comparison = new Comparison(
                List.of(
                        Strategy.plain(),
                        Strategy.raceAll(),
                        hedged("hedged", HedgeDelay.fixed(Duration.ofMillis(15))),
                        hedged("hedged, p95", HedgeDelay.percentile(0.95))),
                new LatencyLaw(5, 2, 0.05, 10),
                1,
                new Load(CALLS, 2));

        List<Run> runs = comparison.run(new Count());

        assertThat(runs)
                .allMatch(Run::isClean)
                .extracting(Run::strategy)
                .containsExactly("plain", "race all", "hedged", "hedged, p95");
        Run plain = runs.get(0);
        Run race = runs.get(1);
        Run hedged = runs.get(2);
        assertThat(plain.backendCallsPerRequest()).isEqualTo(1.0);
        // The HTTP client may send a request again whose pooled connection a cancelled one takes down with it.
        assertThat(race.backendCallsPerRequest()).isBetween(2.9, 3.3);
        assertThat(hedged.backendCallsPerRequest()).isBetween(1.01, 1.12);
        assertThat(runs.get(3).backendCallsPerRequest()).isBetween(1.0, 1.12);
        assertThat(plain.cancelled()).isZero();
        assertThat(race.cancelled()).isGreaterThan(hedged.cancelled());
        assertThat(hedged.cancelled()).isPositive();
        assertThat(hedged.millisAt(98)).isLessThan(plain.millisAt(98));

        assertThat(steps.sum()).isEqualTo(comparison.steps()).isEqualTo(4 * 2 * CALLS);
        assertThat(announced).hasSize(8).startsWith("plain", "race all", "hedged", "hedged, p95", "plain");
    }

    private static Strategy hedged(String name, HedgeDelay delay) {
        return Strategy.hedged(Hedge.of(name, HedgeConfig.custom().delay(delay).build()));
    }

    private final class Count implements Comparison.Progress {
        @Override
        public void on(Strategy strategy) {
            announced.add(strategy.name());
        }

        @Override
        public void step() {
            steps.increment();
        }
    }
}
