package io.github.hedge4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final int HASH = -1812732920;

    private static final Policy PLAIN = Policy.of("plain", Policies.none());
    private static final Policy DEFAULTS = Policy.of("defaults", HedgeConfig.ofDefaults());

    @Test
    void theSameSeedMakesTheSameOutcomeAndAnotherOneAnother() {
        Backend backend = Backend.queues(Law.logNormal(5, 2).withStragglers(0.05, 10), 4, 2);
        Traffic traffic = Traffic.load(0.5, backend, 20_000);

        Outcome first = Simulation.run(backend, traffic, DEFAULTS);

        Outcome again = Simulation.run(backend, traffic, DEFAULTS);
        assertThat(again.latencies().sortedNanos()).isEqualTo(first.latencies().sortedNanos());
        assertThat(again.seconds()).isEqualTo(first.seconds());
        assertThat(Simulation.run(backend, traffic.withSeed(2), DEFAULTS)
                        .latencies()
                        .sortedNanos())
                .isNotEqualTo(first.latencies().sortedNanos());
    }

    /** Anything else than this would come of arithmetic that differs between JVMs, or of another source of chance. */
    @Test
    void theOutcomeIsTheSameOnEveryJvm() {
        Backend backend = Backend.queues(Law.logNormal(5, 2).withStragglers(0.05, 10), 4, 2);

        Outcome outcome = Simulation.run(backend, Traffic.load(0.5, backend, 20_000), DEFAULTS);

        assertThat(Arrays.hashCode(outcome.latencies().sortedNanos())).isEqualTo(HASH);
    }

    @Test
    void policiesMeetTheSameArrivalsAndServiceTimes() {
        Backend backend = Backend.idle(Law.exponential(10));
        Traffic traffic = Traffic.perSecond(100, 5_000);

        Outcome plain = Simulation.run(backend, traffic, PLAIN);
        Outcome hedged =
                Simulation.run(backend, traffic, Policy.of("20 ms", Policies.fixed(20, HedgeBudget.unlimited())));

        assertThat(hedged.seconds().stream().map(Outcome.Second::calls))
                .containsExactlyElementsOf(
                        plain.seconds().stream().map(Outcome.Second::calls).toList());
        long withinDelay = Arrays.stream(plain.latencies().sortedNanos())
                .filter(nanos -> nanos <= 20_000_000)
                .count();
        assertThat(Arrays.copyOf(hedged.latencies().sortedNanos(), (int) withinDelay))
                .isEqualTo(Arrays.copyOf(plain.latencies().sortedNanos(), (int) withinDelay));
        assertThat(hedged.hedges()).isEqualTo(5_000 - withinDelay);
    }

    @Test
    void aSingleQueueHasTheMeanOfTheory() {
        Backend backend = Backend.queues(Law.exponential(1), 1, 1);

        Outcome outcome = Simulation.run(backend, Traffic.load(0.5, backend, 300_000), PLAIN);

        assertThat(outcome.meanMillis()).isCloseTo(2, within(0.05));
        assertThat(outcome.utilisation()).isCloseTo(0.5, within(0.01));
    }

    @Test
    void cancelledRequestsLeaveTheirReplicaAndOthersAreWorkedOnToTheEnd() {
        Policy racing = Policy.of("racing", Policies.racing(2));
        Backend deaf = Backend.queues(Law.exponential(1), 10, 1);
        Traffic traffic = Traffic.load(0.3, deaf, 50_000);

        assertThat(Simulation.run(deaf, traffic, racing).utilisation()).isCloseTo(0.6, within(0.02));
        assertThat(Simulation.run(deaf.cancelling(), traffic, racing).utilisation())
                .isCloseTo(0.3, within(0.02)); // memoryless: two halves of the work are one
    }

    @Test
    void aReplicaThatRefusesFailsCallsUnlessTheyAreHedged() {
        Backend backend =
                Backend.queues(Law.constant(10), 10, 100).with(Trouble.outage(0, Double.POSITIVE_INFINITY, 1));
        Traffic traffic = Traffic.perSecond(1_000, 20_000).withWarmUp(1_000);

        assertThat(Simulation.run(backend, traffic, PLAIN).failed()).isCloseTo(0.1, within(0.01));
        assertThat(Simulation.run(backend, traffic, Policy.of("hedged", Policies.fixed(20, HedgeBudget.ratio(0.3))))
                        .failed())
                .isZero();
    }

    @Test
    void aSlowTimeIsSlowWhileItLasts() {
        Backend backend = Backend.idle(Law.constant(10)).with(Trouble.slow(10, 20, Integer.MAX_VALUE, 3));

        Outcome outcome = Simulation.run(
                backend, Traffic.perSecond(100, 3_000).withGood(15), Policy.of("plain", Policies.none()));

        assertThat(outcome.goodput(0, 9)).isEqualTo(1);
        assertThat(outcome.goodput(11, 19)).isZero();
        assertThat(outcome.goodput(21, 28)).isEqualTo(1);
    }

    @Test
    void aHedgeThatIsLikeItsPrimaryCannotWin() {
        Backend backend = Backend.idle(Law.exponential(10)).withLikeness(1);
        Traffic traffic = Traffic.perSecond(100, 5_000);

        assertThat(Simulation.run(backend, traffic, DEFAULTS).latencies().sortedNanos())
                .isEqualTo(Simulation.run(backend, traffic, PLAIN).latencies().sortedNanos());
    }
}
