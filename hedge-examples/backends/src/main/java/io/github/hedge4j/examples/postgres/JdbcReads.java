package io.github.hedge4j.examples.postgres;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgedFuture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Blocking reads through JDBC, on threads of a pool. */
final class JdbcReads implements Reads {

    private static final Logger log = LoggerFactory.getLogger(JdbcReads.class);
    private static final String QUERY_CANCELED = "57014";
    private static final int CANCEL_TRIES = 10;
    private static final int CANCEL_PAUSE_MILLIS = 20;

    private final List<Replica> replicas;
    private final double slowShare;
    private final ExecutorService threads;
    private final LongAdder started = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    JdbcReads(List<Replica> replicas, double slowShare, ExecutorService threads) {
        this.replicas = replicas;
        this.slowShare = slowShare;
        this.threads = threads;
    }

    @Override
    public HedgedFuture<Integer> read(Hedge hedge, int customer) {
        return (HedgedFuture<Integer>)
                hedge.<Integer>decorateCallable(() -> score(customer), threads).get();
    }

    private int score(int customer) throws SQLException {
        Attempt attempt = Attempt.current().orElseThrow();
        Replica replica = replicas.get((customer + attempt.number()) % replicas.size());
        try (Connection connection = replica.connection();
                PreparedStatement query = connection.prepareStatement(text(customer, slowShare))) {
            attempt.onCancel(() -> cancel(query));
            if (attempt.isCancelled()) {
                throw new CancellationException("lost before the query was sent");
            }
            started.increment();
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        } catch (SQLException e) {
            if (QUERY_CANCELED.equals(e.getSQLState())) {
                cancelled.increment();
            }
            throw e;
        }
    }

    /**
     * Cancels the query at its server, once more if need be: a cancel between the check above and the driver's sending of the query
     * has no effect. A query that is closed or has its answer is left alone by the driver, whoever uses its connection by then.
     */
    private static void cancel(Statement query) {
        try {
            for (int tries = 0; tries < CANCEL_TRIES && !query.isClosed(); tries++) {
                query.cancel();
                Thread.sleep(CANCEL_PAUSE_MILLIS);
            }
        } catch (SQLException e) {
            log.warn("A losing query could not be cancelled", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long started() {
        return started.sum();
    }

    @Override
    public long cancelled() {
        return cancelled.sum();
    }
}
