package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.time.HedgeTimer;
import java.util.function.Function;

/** A way to make calls. */
record Policy(String name, Function<HedgeTimer, Hedge> opener) {

    /** Hedging by this configuration, on the simulation's time. */
    static Policy of(String name, HedgeConfig config) {
        return new Policy(name, timer -> Hedge.of(name, on(timer, config)));
    }

    static HedgeConfig on(HedgeTimer timer, HedgeConfig config) {
        return HedgeConfig.from(config).timer(timer).executor(Runnable::run).build();
    }

    Hedge open(HedgeTimer timer) {
        return opener.apply(timer);
    }
}
