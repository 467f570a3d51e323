package io.github.hedge4j.examples.simulation;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** Several simulations, which have nothing to do with each other, on all cores. */
final class Runs {

    private Runs() {}

    /** One for each policy, in their order. */
    static List<Outcome> compare(Backend backend, Traffic traffic, Policy... policies) {
        return compare(backend, traffic, calls -> {}, policies);
    }

    static List<Outcome> compare(Backend backend, Traffic traffic, Simulation.Progress progress, Policy... policies) {
        return Arrays.stream(policies)
                .parallel()
                .map(policy -> Simulation.run(backend, traffic, policy, progress))
                .toList();
    }

    /** The results, in the order given. */
    static <T> List<T> all(List<Supplier<T>> runs) {
        return runs.parallelStream().map(Supplier::get).toList();
    }
}
