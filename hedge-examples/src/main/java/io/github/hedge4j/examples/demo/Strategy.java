package io.github.hedge4j.examples.demo;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.Race;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A way of getting one answer from several replicas. Each request starts at the next replica in turn. */
record Strategy(String name, Asking asking) {

    /** Asks for the answer to the request of this number. */
    @FunctionalInterface
    interface Asking {
        CompletionStage<?> ask(ReplicaClient replicas, int request);
    }

    /** One replica, come what may. */
    static Strategy plain() {
        return new Strategy("plain", ReplicaClient::ask);
    }

    /** All replicas at once; the first answer wins, the other requests are cancelled. */
    static Strategy raceAll() {
        return new Strategy("race all", (replicas, request) -> Race.firstSuccess(everyone(replicas, request)));
    }

    private static List<Supplier<CompletionStage<HttpResponse<String>>>> everyone(ReplicaClient replicas, int request) {
        List<Supplier<CompletionStage<HttpResponse<String>>>> racers = new ArrayList<>();
        for (int turn = request; turn < request + replicas.size(); turn++) {
            int mine = turn;
            racers.add(() -> replicas.ask(mine));
        }
        return racers;
    }

    /** One replica, and the next one too if the answer is not there after the delay. */
    static Strategy hedged(String name, HedgeDelay delay) {
        Hedge hedge = Hedge.of(name, HedgeConfig.custom().delay(delay).build());
        return new Strategy(
                name, (replicas, request) -> hedge.start(attempt -> replicas.ask(request + attempt.number())));
    }
}
