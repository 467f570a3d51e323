package io.github.hedge4j.examples.demo;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Strategies in turn, a few calls each, again and again, so that they can be compared at any time. Each keeps its own servers. */
final class Rounds implements AutoCloseable {

    /** So few that all curves of a page grow together. */
    private static final int CALLS = 100;

    private final HttpClient http;
    private final Load load;
    private final List<Lane> lanes = new ArrayList<>();

    /** Written by the thread that makes the rounds. */
    private final Map<Strategy, Run> sums = new ConcurrentHashMap<>();

    private record Lane(Strategy strategy, Replicas replicas) {}

    Rounds(HttpClient http, List<Strategy> strategies, LatencyLaw law, long seed, int concurrency) {
        this.http = http;
        this.load = new Load(CALLS, concurrency);
        for (Strategy strategy : strategies) {
            lanes.add(new Lane(strategy, Replicas.following(law, seed)));
        }
    }

    /** Makes one more round. One thread at a time. */
    void next() throws InterruptedException {
        for (Lane lane : lanes) {
            var client = new ReplicaClient(http, lane.replicas().uris());
            Run run = Run.of(lane.strategy(), client, lane.replicas(), load, () -> {});
            sums.merge(lane.strategy(), run, Run::and);
        }
    }

    /** All rounds so far as one run of each strategy that has had its turn. Any thread. */
    List<Run> soFar() {
        return lanes.stream()
                .flatMap(lane -> Stream.ofNullable(sums.get(lane.strategy())))
                .toList();
    }

    @Override
    public void close() {
        lanes.forEach(lane -> lane.replicas().close());
    }
}
