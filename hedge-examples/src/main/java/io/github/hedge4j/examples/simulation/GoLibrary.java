package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import java.util.List;

/**
 * The table of a well-known Go library: 50,000 calls, 20 in flight on average, log-normal latencies with mean 5 ms and standard
 * deviation 2 ms, of which a twentieth take ten times as long.
 */
record GoLibrary(Outcome plain, Outcome defaults, Outcome best) {

    private static final Law LAW = Law.logNormal(5, 2).withStragglers(0.05, 10);
    private static final int CALLS = 50_000;
    private static final double IN_FLIGHT = 20;

    /** Published for its adaptive hedging: p50, p90, p95, p99 and p99.9 in milliseconds. */
    static final List<Double> PUBLISHED = List.of(5.0, 8.9, 12.3, 17.0, 59.4);

    static final double PUBLISHED_EXTRA_CALLS = 0.089;
    static final List<Double> QUANTILES = List.of(0.5, 0.9, 0.95, 0.99, 0.999);

    static GoLibrary run() {
        Backend backend = Backend.idle(LAW);
        List<Outcome> outcomes = Runs.compare(
                backend,
                Traffic.perSecond(IN_FLIGHT * 1_000 / LAW.meanMillis(), CALLS),
                Policy.of("no hedging", Policies.none()),
                Policy.of("hedge, defaults", HedgeConfig.ofDefaults()),
                Policy.of("hedge, p91.5, up to 3 attempts", Policies.percentile(0.915, 3, HedgeBudget.ratio(0.10))));
        return new GoLibrary(outcomes.get(0), outcomes.get(1), outcomes.get(2));
    }

    String markdown() {
        return new Markdown()
                .line(
                        "**50,000 calls, log-normal with mean 5 ms and standard deviation 2 ms, 5% of them ten times as long.**")
                .table(
                        List.of("", "p50 ms", "p90 ms", "p95 ms", "p99 ms", "p99.9 ms", "more calls"),
                        List.of(
                                cells(plain),
                                List.of(
                                        "Go library, adaptive p90, published",
                                        "5.0",
                                        "8.9",
                                        "12.3",
                                        "17.0",
                                        "59.4",
                                        "8.9%"),
                                cells(best),
                                cells(defaults)))
                .line(
                        "A twentieth of the calls is slow, so the default's p95 waits for the edge of the slow mode. With the slowest 6% of"
                                + " calls hedged the p99 is some 18 ms at best, whoever hedges them: for a law with two modes, hedge at the"
                                + " share of the fast one.")
                .toString();
    }

    private static List<String> cells(Outcome outcome) {
        return List.of(
                outcome.policy(),
                Markdown.ms(outcome.millisAt(0.5)),
                Markdown.ms(outcome.millisAt(0.9)),
                Markdown.ms(outcome.millisAt(0.95)),
                Markdown.ms(outcome.millisAt(0.99)),
                Markdown.ms(outcome.millisAt(0.999)),
                Markdown.percent(outcome.extraCalls(), 1));
    }
}
