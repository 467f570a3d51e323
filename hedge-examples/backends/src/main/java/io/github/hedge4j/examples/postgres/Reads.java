package io.github.hedge4j.examples.postgres;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgedFuture;

/** One way of reading a customer's score from the replicas. */
interface Reads {

    /** What the server sees: the number tells it in its view of running queries. */
    default String text(int customer, double slowShare) {
        return "/* customer " + customer + ". */ select credit_score(" + customer + ", " + slowShare + ")";
    }

    HedgedFuture<Integer> read(Hedge hedge, int customer);

    /** Queries sent so far. */
    long started();

    /** Queries that their server has cancelled. */
    long cancelled();
}
