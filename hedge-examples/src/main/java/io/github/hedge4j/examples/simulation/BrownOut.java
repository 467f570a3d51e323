package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import java.util.List;
import java.util.function.Supplier;

/**
 * Metastable failures (Bronson and others, 2021): ten replicas at a moderate load are three times as slow for six seconds. Whoever
 * hedges without bound keeps them overloaded for ever after, for they work on to the end on what nobody waits for any more.
 */
record BrownOut(
        List<Outcome> halfLoad,
        List<Outcome> shortDeadline,
        Outcome throttledLongDeadline,
        List<Outcome> nearCapacity) {

    static final int TRIGGER_SECOND = 30;
    static final int RECOVERED_SECOND = 60;
    static final int END_SECOND = 150;

    private static final int LONG_END_SECOND = 300;
    private static final double TRIGGER_ENDS_SECOND = 36;
    private static final double SLOWDOWN = 3;
    private static final double HALF_LOAD = 0.5;
    private static final double LOAD = 0.6;
    private static final double HIGH_LOAD = 0.9;
    private static final double DEADLINE_MILLIS = 500;
    private static final double LONG_DEADLINE_MILLIS = 5_000;
    private static final double GOOD_MILLIS = 200;

    /** Log-normal with a spread of 0.5, a fiftieth of them ten times as long, 10 ms on average. */
    static final Law LAW = Law.logNormalThrough(1, StrictMath.exp(0.5 * 2.3263478740408408))
            .withStragglers(0.02, 10)
            .withMean(10);

    private static final List<String> TIMELINE =
            List.of("", "goodput before", "from 30 to 40 s", "from 40 to 60 s", "after 60 s", "hedges after 60 s");

    private static final Backend CALM = Backend.queues(LAW, 10, 1);
    private static final Backend TROUBLED =
            CALM.with(Trouble.slow(TRIGGER_SECOND, TRIGGER_ENDS_SECOND, CALM.replicas(), SLOWDOWN));

    static BrownOut run() {
        Traffic traffic = traffic(LOAD, CALM, END_SECOND);
        List<Supplier<List<Outcome>>> runs = List.of(
                BrownOut::halfLoadRun,
                () -> Runs.compare(TROUBLED, traffic, policies(DEADLINE_MILLIS)),
                () -> List.of(Simulation.run(TROUBLED, traffic, throttled(LONG_DEADLINE_MILLIS))),
                () -> Runs.compare(
                        CALM,
                        traffic(HIGH_LOAD, CALM, LONG_END_SECOND),
                        Policy.of("no hedging", within(Policies.none())),
                        Policy.of("fixed, budget 10%", within(budgeted())),
                        Policy.of("defaults", within(HedgeConfig.ofDefaults()))));
        List<List<Outcome>> outcomes = Runs.all(runs);
        return new BrownOut(outcomes.get(0), outcomes.get(1), outcomes.get(2).get(0), outcomes.get(3));
    }

    /** The picture: where nothing is wrong with unbounded hedging until something is. */
    static List<Outcome> halfLoadRun() {
        return Runs.compare(
                TROUBLED,
                traffic(HALF_LOAD, CALM, END_SECOND),
                Policy.of("no hedging", within(Policies.none())),
                Policy.of("fixed, unbounded", within(Policies.fixed(40, HedgeBudget.unlimited()))),
                Policy.of("fixed, budget 10%", within(budgeted())),
                Policy.of("defaults", within(HedgeConfig.ofDefaults())));
    }

    private static Traffic traffic(double load, Backend backend, int seconds) {
        double perSecond = load * backend.capacityPerSecond();
        return Traffic.perSecond(perSecond, (int) Math.round(perSecond * seconds))
                .withGood(GOOD_MILLIS);
    }

    static Policy[] policies(double deadlineMillis) {
        return new Policy[] {
            Policy.of("no hedging", Policies.within(Policies.none(), deadlineMillis)),
            Policy.of("fixed, unbounded", Policies.within(Policies.fixed(40, HedgeBudget.unlimited()), deadlineMillis)),
            Policy.of("fixed, budget 10%", Policies.within(budgeted(), deadlineMillis)),
            throttled(deadlineMillis),
            Policies.winnersOnly(Policies.within(HedgeConfig.ofDefaults(), deadlineMillis)),
            Policy.of("defaults", Policies.within(HedgeConfig.ofDefaults(), deadlineMillis)),
        };
    }

    private static HedgeConfig budgeted() {
        return Policies.fixed(40, HedgeBudget.ratio(0.10).withBurst(50));
    }

    private static HedgeConfig within(HedgeConfig config) {
        return Policies.within(config, DEADLINE_MILLIS);
    }

    private static Policy throttled(double deadlineMillis) {
        return Policies.throttledOnFailure(
                Policies.within(Policies.fixed(40, HedgeBudget.unlimited()), deadlineMillis));
    }

    /** Good calls, as a share of those that arrived when the trigger had long been over. */
    static double goodputAfter(Outcome outcome) {
        return outcome.goodput(RECOVERED_SECOND, END_SECOND);
    }

    /** The same at 90 % load, without a trigger, when queues have had a minute to grow. */
    static double goodputNearCapacity(Outcome outcome) {
        return outcome.goodput(RECOVERED_SECOND, LONG_END_SECOND);
    }

    /** Hedges per call that arrived when the trigger had long been over. */
    static double hedgesAfter(Outcome outcome) {
        Outcome.Second after = outcome.between(RECOVERED_SECOND, END_SECOND);
        return (double) after.hedges() / after.calls();
    }

    String markdown() {
        Markdown page = new Markdown();
        page.line(
                "**Ten replicas, 10 ms of work on average** (log-normal, a fiftieth of it ten times as long), deadline 500 ms,"
                        + " no cancellation at the replicas. From second 30 to 36 work takes three times as long. Goodput: the share of"
                        + " calls answered within 200 ms. At 50% load nothing is wrong with unbounded hedging until then:");
        page.table(TIMELINE, halfLoad.stream().map(BrownOut::timeline).toList());
        page.line("![Goodput at 50% load](images/metastability.svg)");
        page.line("At 60% load:");
        page.table(TIMELINE, shortDeadline.stream().map(BrownOut::timeline).toList());
        page.line("With a deadline of 5 s, throttling on failure alone keeps "
                + Markdown.percent(goodputAfter(throttledLongDeadline), 1)
                + ": slow successes pay for the next hedges.");
        page.line(
                "**A budget is no admission control.** The same replicas at 90% load without any trouble, from the second to the fifth minute:");
        page.table(
                List.of("", "goodput", "hedges"),
                nearCapacity.stream()
                        .map(outcome -> List.of(
                                outcome.policy(),
                                Markdown.percent(goodputNearCapacity(outcome), 1),
                                Markdown.percent(outcome.extraCalls(), 1)))
                        .toList());
        return page.toString();
    }

    private static List<String> timeline(Outcome outcome) {
        return List.of(
                outcome.policy(),
                Markdown.percent(outcome.goodput(0, TRIGGER_SECOND), 1),
                Markdown.percent(outcome.goodput(TRIGGER_SECOND, 40), 1),
                Markdown.percent(outcome.goodput(40, RECOVERED_SECOND), 1),
                Markdown.percent(goodputAfter(outcome), 1),
                Markdown.percent(hedgesAfter(outcome), 1));
    }
}
