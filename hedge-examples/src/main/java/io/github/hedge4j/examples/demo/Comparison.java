package io.github.hedge4j.examples.demo;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;

/**
 * Several strategies under the same load. Each meets servers of its own, with the same answer times in the same order, after all
 * have warmed up: the JVM, and what a strategy may have learnt of the latencies by then, as in a service that has been up for a while.
 */
record Comparison(List<Strategy> strategies, LatencyLaw law, long seed, Load load) {

    /** By then the JIT compiler has seen all of it; in a hurry, as nobody looks at these latencies. */
    private static final Load WARM_UP = new Load(1_000, 8);

    /** Hears how far the comparison has come. */
    interface Progress {

        Progress NONE = new Progress() {
            @Override
            public void on(Strategy strategy) {}

            @Override
            public void step() {}
        };

        /** The calls from now on are made in this way. */
        void on(Strategy strategy);

        /** A call is over. Any thread. */
        void step();
    }

    /** How many calls there will be in all. */
    long steps() {
        return (long) strategies.size() * (warmUp().calls() + load.calls());
    }

    /** One after the other, in the order given. */
    List<Run> run(Progress progress) throws InterruptedException {
        var http = HttpClient.newHttpClient();
        warmUp(http, progress);
        return runAll(http, load, progress);
    }

    /** What {@link #run} does first. */
    void warmUp(HttpClient http, Progress progress) throws InterruptedException {
        runAll(http, warmUp(), progress);
    }

    private Load warmUp() {
        return new Load(Math.min(WARM_UP.calls(), load.calls()), Math.max(WARM_UP.concurrency(), load.concurrency()));
    }

    private List<Run> runAll(HttpClient http, Load load, Progress progress) throws InterruptedException {
        List<Run> runs = new ArrayList<>();
        for (Strategy strategy : strategies) {
            progress.on(strategy);
            try (var replicas = Replicas.following(law, seed)) {
                var client = new ReplicaClient(http, replicas.uris());
                runs.add(Run.of(strategy, client, replicas, load, progress::step));
            }
        }
        return runs;
    }
}
