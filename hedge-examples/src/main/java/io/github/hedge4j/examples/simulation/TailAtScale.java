package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.examples.simulation.FanOut.Stratum;
import java.util.List;

/**
 * Dean and Barroso, The Tail at Scale (2013): how rare slowness becomes common with fan-out, and the BigTable benchmark, a thousand
 * reads whose hedge after 10 ms brought the p99.9 from 1,800 to 74 ms for 2 % more reads.
 */
record TailAtScale(Pages pages100, Pages pages2000, FanOut plainReads, FanOut hedgedReads) {

    static final int READS = 1_000;
    static final double DELAY_MILLIS = 10;

    /** The share of pages that take longer than a second, without and with a hedge. */
    record Pages(int leaves, double slowLeaves, double plain, double hedged) {

        private static final int CALLS = 50_000;

        static Pages run(int leaves, double slowLeaves) {
            Law fast = Law.constant(10);
            Law slow = Law.constant(1_500);
            Law law = new Law(
                    "mostly fast", Double.NaN, random -> (random.nextDouble() < slowLeaves ? slow : fast).meanMillis());
            List<Stratum> strata =
                    List.of(new Stratum(1 - slowLeaves, fast, CALLS), new Stratum(slowLeaves, slow, CALLS));
            FanOut plain = FanOut.run(law, strata, Policy.of("plain", Policies.none()));
            FanOut hedged = FanOut.run(law, strata, Policy.of("hedged", Policies.fixed(50, HedgeBudget.unlimited())));
            return new Pages(
                    leaves,
                    slowLeaves,
                    plain.requestsSlowerThan(1_000, leaves),
                    hedged.requestsSlowerThan(1_000, leaves));
        }
    }

    /** Reads: the share that takes longer than so many milliseconds, a straight line in logarithms between these. */
    private static final double[][] READ_SURVIVAL = {
        {1, 1}, {3, 0.3}, {10, 0.02}, {69, 0.001}, {1_800, 1e-6}, {20_000, 1e-9}
    };

    static TailAtScale run() {
        List<Stratum> strata = List.of(
                new Stratum(0.98, reads(0.02, 1), 200_000),
                new Stratum(0.017, reads(0.003, 0.02), 300_000),
                new Stratum(0.003, reads(0, 0.003), 1_000_000));
        return new TailAtScale(
                Pages.run(100, 0.01),
                Pages.run(2_000, 0.000_1),
                FanOut.run(reads(0, 1), strata, Policy.of("plain", Policies.none())),
                FanOut.run(
                        reads(0, 1),
                        strata,
                        Policy.of("hedged", Policies.fixed(DELAY_MILLIS, HedgeBudget.unlimited()))));
    }

    /** Those reads whose survival lies between two values. */
    private static Law reads(double fromSurvival, double toSurvival) {
        return new Law(
                "reads",
                Double.NaN,
                random -> readMillis(toSurvival - (toSurvival - fromSurvival) * random.nextDouble()));
    }

    private static double readMillis(double survival) {
        int i = 1;
        while (i < READ_SURVIVAL.length - 1 && survival < READ_SURVIVAL[i][1]) {
            i++;
        }
        double[] from = READ_SURVIVAL[i - 1];
        double[] to = READ_SURVIVAL[i];
        double way = StrictMath.log(survival / from[1]) / StrictMath.log(to[1] / from[1]);
        return from[0] * StrictMath.exp(way * StrictMath.log(to[0] / from[0]));
    }

    String markdown() {
        Markdown page = new Markdown();
        page.line(
                "**Pages that need all of their leaves**, of which a few take more than a second; hedged after 50 ms.");
        page.table(
                List.of("leaves", "slow leaves", "slow pages", "published", "slow pages, hedged"),
                List.of(pageRow(pages100, "63.4%"), pageRow(pages2000, "18.1%")));
        page.line(
                "**BigTable**: a thousand reads per request, each hedged after 10 ms. Published: 1,800 ms to 74 ms at p99.9, 2%"
                        + " more reads. The latencies of single reads are a curve through the published points.");
        page.table(
                List.of("", "p50 ms", "p90 ms", "p99 ms", "p99.9 ms", "more reads"),
                List.of(readRow("plain", plainReads), readRow("hedged", hedgedReads)));
        return page.toString();
    }

    private static List<String> pageRow(Pages pages, String published) {
        return List.of(
                Markdown.count(pages.leaves()),
                Markdown.percent(pages.slowLeaves(), 2),
                Markdown.percent(pages.plain(), 1),
                published,
                Markdown.percent(pages.hedged(), 3));
    }

    private static List<String> readRow(String name, FanOut reads) {
        return List.of(
                name,
                Markdown.ms(reads.requestMillisAt(0.5, READS)),
                Markdown.ms(reads.requestMillisAt(0.9, READS)),
                Markdown.ms(reads.requestMillisAt(0.99, READS)),
                Markdown.ms(reads.requestMillisAt(0.999, READS)),
                Markdown.percent(reads.extraCalls(), 2));
    }
}
