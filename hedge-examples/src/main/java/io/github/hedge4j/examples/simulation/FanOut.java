package io.github.hedge4j.examples.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Requests that need the answers of many leaves, all of them. What decides there is the leaves' far tail, which plain sampling hardly
 * sees: the p99.9 of a request with a thousand leaves is the one slowest leaf in a million. So primaries are drawn stratum by stratum
 * of their latency, each with as many calls as it takes, and weighted by the stratum's share; hedges are drawn from the whole law.
 */
final class FanOut {

    /** Primaries from this part of the law. */
    record Stratum(double share, Law primaries, int calls) {}

    private record Leaves(double share, Outcome outcome) {

        double slowerThan(long nanos) {
            return share * outcome.latencies().slowerThan(nanos);
        }
    }

    private final List<Leaves> leaves;

    private FanOut(List<Leaves> leaves) {
        this.leaves = leaves;
    }

    static FanOut run(Law law, List<Stratum> strata, Policy policy) {
        List<Supplier<Leaves>> runs = new ArrayList<>();
        for (Stratum stratum : strata) {
            Backend backend = Backend.idle(stratum.primaries()).withHedgeLaw(law);
            Traffic traffic = Traffic.perSecond(1_000, stratum.calls());
            runs.add(() -> new Leaves(stratum.share(), Simulation.run(backend, traffic, policy)));
        }
        return new FanOut(Runs.all(runs));
    }

    /** The share of leaves that take longer than this. */
    double leavesSlowerThan(double millis) {
        return slowerThan(Math.round(millis * 1e6));
    }

    /** The share of requests with so many leaves that take longer than this. */
    double requestsSlowerThan(double millis, int fanOut) {
        return -StrictMath.expm1(fanOut * StrictMath.log1p(-leavesSlowerThan(millis)));
    }

    /** The latency that this share of requests with so many leaves does not exceed. */
    double requestMillisAt(double quantile, int fanOut) {
        double leavesBeyond = -StrictMath.expm1(StrictMath.log(quantile) / fanOut);
        long low = 0;
        long high = Long.MAX_VALUE >>> 1;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (slowerThan(middle) > leavesBeyond) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low / 1e6;
    }

    /** Hedges per leaf call. */
    double extraCalls() {
        return leaves.stream()
                .mapToDouble(part -> part.share() * part.outcome().extraCalls())
                .sum();
    }

    private double slowerThan(long nanos) {
        return leaves.stream().mapToDouble(part -> part.slowerThan(nanos)).sum();
    }
}
