package io.github.hedge4j.examples.demo;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.Race;
import java.util.concurrent.CompletionStage;

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
        return new Strategy(
                "race all",
                (replicas, request) ->
                        Race.firstSuccess(replicas.inTurn(request).values()));
    }

    /** One replica, and the next one too if the hedge says so. It goes by the hedge's name. */
    static Strategy hedged(Hedge hedge) {
        return new Strategy(
                hedge.getName(),
                (replicas, request) ->
                        hedge.decorateTargets(replicas.inTurn(request)).get());
    }
}
