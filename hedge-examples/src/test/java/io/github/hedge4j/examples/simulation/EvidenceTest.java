package io.github.hedge4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.hedge4j.examples.simulation.TwoCopies.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Published results, out of the real engine. {@code -Devidence.calls=3000000} makes the larger runs as large as their papers' are;
 * docs/simulation.md is then not compared.
 */
class EvidenceTest {

    private static final int CALLS = Integer.getInteger("evidence.calls", Evidence.CALLS);

    private static Evidence evidence;

    @BeforeAll
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    static void runAll() {
        evidence = Evidence.run(CALLS);
    }

    /** What is compared is left in target/simulation.md, to be copied if the change is meant. */
    @Test
    void thePageInTheDocsSaysWhatTheCodeDoes() throws IOException {
        String page = EvidencePage.of(evidence);
        Files.writeString(Path.of("target/simulation.md"), page);

        assumeThat(CALLS).isEqualTo(Evidence.CALLS);
        assertThat(Path.of("../docs/simulation.md")).hasContent(page);
    }

    @Test
    void theFiguresOnThePageForDecisionsAreThese() throws IOException {
        assumeThat(CALLS).isEqualTo(Evidence.CALLS);

        List<String> figures = Files.readAllLines(Path.of("../docs/when-to-hedge.md")).stream()
                .filter(line -> line.startsWith("|") && line.contains("→"))
                .toList();
        assertThat(figures).isNotEmpty();
        assertThat(EvidencePage.of(evidence).lines()).containsAll(figures);
    }

    // ---- The Tail at Scale, 2013

    @Test
    void rareSlownessIsCommonOnPagesWithManyLeaves() {
        TailAtScale.Pages hundred = evidence.tailAtScale().pages100();
        TailAtScale.Pages thousands = evidence.tailAtScale().pages2000();

        assertThat(hundred.plain()).isCloseTo(0.634, within(0.005));
        assertThat(thousands.plain()).isCloseTo(0.181, within(0.005));
        assertThat(hundred.hedged()).isLessThan(0.011);
        assertThat(thousands.hedged()).isLessThan(0.000_1);
    }

    @Test
    void hedgedReadsBringThe999thOfAThousandFrom1800To74Millis() {
        FanOut plain = evidence.tailAtScale().plainReads();
        FanOut hedged = evidence.tailAtScale().hedgedReads();

        assertThat(hedged.extraCalls()).isCloseTo(0.02, within(0.000_5));
        assertThat(readMillis(plain, 0.5)).isCloseTo(82, withinPercentage(5));
        assertThat(readMillis(plain, 0.9)).isCloseTo(200, withinPercentage(5));
        assertThat(readMillis(plain, 0.99)).isCloseTo(594, withinPercentage(5));
        assertThat(readMillis(plain, 0.999)).isCloseTo(1_800, withinPercentage(15));
        assertThat(readMillis(hedged, 0.5)).isCloseTo(15.7, withinPercentage(3));
        assertThat(readMillis(hedged, 0.9)).isCloseTo(21.3, withinPercentage(3));
        assertThat(readMillis(hedged, 0.99)).isCloseTo(37.9, withinPercentage(3));
        assertThat(readMillis(hedged, 0.999)).isCloseTo(73.6, withinPercentage(6));
    }

    private static double readMillis(FanOut reads, double quantile) {
        return reads.requestMillisAt(quantile, TailAtScale.READS);
    }

    // ---- Low Latency via Redundancy, 2013

    @Test
    void twoCopiesHaveTheMeansOfTheory() {
        Map<Double, List<Double>> theory = Map.of(
                0.1, List.of(1.111, 0.627),
                0.2, List.of(1.250, 0.838),
                0.3, List.of(1.429, 1.261),
                0.4, List.of(1.667, 2.532));

        assertThat(evidence.twoCopies().exponential())
                .filteredOn(row -> theory.containsKey(row.load()))
                .hasSameSizeAs(theory.keySet())
                .allSatisfy(row -> {
                    List<Double> means = theory.get(row.load());
                    assertThat(row.one().meanMillis()).isCloseTo(means.get(0), withinPercentage(1.5));
                    assertThat(row.two().meanMillis()).isCloseTo(means.get(1), withinPercentage(1.5));
                });
    }

    @Test
    void twoCopiesStopPayingBetweenTheLoadsJustBelowAndJustAboveTheThreshold() {
        List<Row> rows = evidence.twoCopies().aroundThresholds();

        assertThat(rows.subList(0, 3))
                .allSatisfy(below -> assertThat(below.gain()).isPositive());
        assertThat(rows.subList(3, 6))
                .allSatisfy(above -> assertThat(above.gain()).isNegative());
    }

    @Test
    void twoCopiesStopPayingForThe99thAtTheSameLoadAsForTheMean() {
        assertThat(row(0.3).two().millisAt(0.99)).isLessThan(row(0.3).one().millisAt(0.99));
        assertThat(row(0.35).two().millisAt(0.99)).isGreaterThan(row(0.35).one().millisAt(0.99));
        assertThat(row(0.3).two().millisAt(0.99)).isCloseTo(5.84, withinPercentage(3));
        assertThat(row(0.35).two().millisAt(0.99)).isCloseTo(7.78, withinPercentage(3));
    }

    private static Row row(double load) {
        return evidence.twoCopies().exponential().stream()
                .filter(row -> row.load() == load)
                .findAny()
                .orElseThrow();
    }

    // ---- Redundancy-d, 2017

    @Test
    void redundancyHasTheMeansOfTheFormula() {
        assertThat(evidence.redundancy().rows()).hasSize(6).allSatisfy(row -> {
            boolean slowToSettle = row.load() == 0.7 && row.copies() == 1;
            assertThat(row.mean()).isCloseTo(row.theory(), withinPercentage(slowToSettle ? 4 : 1.5));
        });
        assertThat(evidence.redundancy().rows().get(1).theory()).isCloseTo(0.7981, within(0.000_1));
        assertThat(evidence.redundancy().rows().get(4).theory()).isCloseTo(1.1016, within(0.000_1));
    }

    // ---- Optimal Reissue Policies, 2017

    @Test
    void reissuingWithAProbabilityHasTheValuesOfTheory() {
        assertThat(evidence.singleR().rows()).hasSize(9).allSatisfy(row -> {
            for (int i = 0; i < 3; i++) {
                assertThat(row.values().get(i))
                        .isCloseTo(row.expected().get(i), withinPercentage(row.quantile() == 0.95 ? 3 : 4));
            }
            assertThat(row.extraCalls()).isCloseTo(row.budget(), withinPercentage(3));
        });
    }

    @Test
    void aHedgeAtThePercentileCannotLowerIt() {
        SingleR.Row row = evidence.singleR().rows().get(1);

        assertThat(row.values().get(1)).isEqualTo(row.values().get(0));
        assertThat(row.values().get(2)).isLessThanOrEqualTo(22);
    }

    // ---- Metastable failures, 2021

    @Test
    void unboundedHedgingNeverRecoversFromABrownOutAndTheDefaultsDo() {
        assertThat(BrownOut.goodputAfter(outcome("no hedging"))).isBetween(0.97, 0.99);
        assertThat(BrownOut.goodputAfter(outcome("fixed, unbounded"))).isLessThan(0.05);
        assertThat(BrownOut.goodputAfter(outcome("p95 of winners"))).isLessThan(0.05);
        assertThat(BrownOut.goodputAfter(outcome("fixed, budget 10%"))).isGreaterThan(0.95);
        assertThat(BrownOut.goodputAfter(evidence.brownOut().throttledLongDeadline()))
                .isLessThan(0.10);
        assertThat(BrownOut.goodputAfter(outcome("defaults"))).isGreaterThan(0.97);
        assertThat(BrownOut.goodputAfter(outcome("defaults")))
                .isGreaterThan(BrownOut.goodputAfter(outcome("no hedging")));
    }

    @Test
    void unboundedHedgingIsFineUntilTheFirstBrownOut() {
        List<Outcome> halfLoad = evidence.brownOut().halfLoad();
        Outcome unbounded = halfLoad.get(1);
        Outcome defaults = halfLoad.get(3);

        assertThat(unbounded.goodput(0, BrownOut.TRIGGER_SECOND)).isGreaterThan(0.99);
        assertThat(BrownOut.goodputAfter(unbounded)).isLessThan(0.05);
        assertThat(BrownOut.goodputAfter(defaults)).isGreaterThan(0.99);
    }

    @Test
    void theDefaultsHedgeAgainSoonAfterABrownOut() {
        assertThat(BrownOut.hedgesAfter(outcome("defaults"))).isBetween(0.04, 0.06);
    }

    @Test
    void aBudgetIsNoAdmissionControl() {
        double plain =
                BrownOut.goodputNearCapacity(evidence.brownOut().nearCapacity().get(0));
        double budgeted =
                BrownOut.goodputNearCapacity(evidence.brownOut().nearCapacity().get(1));

        assertThat(plain).isGreaterThan(0.70);
        assertThat(budgeted).isLessThan(0.45).isLessThan(plain - 0.25);
    }

    private static Outcome outcome(String policy) {
        return evidence.brownOut().shortDeadline().stream()
                .filter(outcome -> outcome.policy().equals(policy))
                .findAny()
                .orElseThrow();
    }

    // ---- a library in Go

    @Test
    void isAtLeastAsGoodAsTheGoLibraryAtEveryQuantileForNoMoreCalls() {
        Outcome best = evidence.goLibrary().best();

        assertThat(best.extraCalls()).isLessThanOrEqualTo(GoLibrary.PUBLISHED_EXTRA_CALLS);
        for (int i = 0; i < GoLibrary.QUANTILES.size(); i++) {
            assertThat(best.millisAt(GoLibrary.QUANTILES.get(i))).isLessThanOrEqualTo(GoLibrary.PUBLISHED.get(i));
        }
    }

    @Test
    void theDefaultsCostAtMostSixPercentMoreCalls() {
        Outcome plain = evidence.goLibrary().plain();
        Outcome defaults = evidence.goLibrary().defaults();

        assertThat(defaults.extraCalls()).isLessThanOrEqualTo(0.06);
        assertThat(defaults.millisAt(0.99)).isLessThan(plain.millisAt(0.99) / 2);
        assertThat(defaults.millisAt(0.999)).isLessThan(59.4).isLessThan(plain.millisAt(0.999) / 2);
    }
}
