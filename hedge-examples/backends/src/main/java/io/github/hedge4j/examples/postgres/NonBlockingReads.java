package io.github.hedge4j.examples.postgres;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgedFuture;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Reads through Vert.x's driver, which needs no thread for each. */
final class NonBlockingReads implements Reads, AutoCloseable {

    private static final String QUERY_CANCELED = "57014";
    private static final int CANCEL_PAUSE_MILLIS = 20;
    private static final int CANCEL_CONNECTIONS = 2;

    private final Vertx vertx = Vertx.vertx();
    private final List<Target> targets;
    private final double slowShare;
    private final LongAdder started = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    NonBlockingReads(List<Replica> replicas, double slowShare, int connections) {
        this.slowShare = slowShare;
        this.targets = replicas.stream()
                .map(replica -> new Target(pool(replica, connections), pool(replica, CANCEL_CONNECTIONS)))
                .toList();
    }

    /** How one replica is asked, and how it is told to stop. */
    private record Target(Pool queries, Pool cancels) {}

    private Pool pool(Replica replica, int connections) {
        return PgBuilder.pool()
                .with(new PoolOptions().setMaxSize(connections))
                .connectingTo(new PgConnectOptions()
                        .setHost("localhost")
                        .setPort(replica.port())
                        .setDatabase("postgres")
                        .setUser("postgres"))
                .using(vertx)
                .build();
    }

    @Override
    public HedgedFuture<Integer> read(Hedge hedge, int customer) {
        return hedge.start(attempt -> {
            Target target = targets.get((customer + attempt.number()) % targets.size());
            Read read = new Read(customer, target.cancels);
            var unused = target.queries.getConnection().onComplete(read::run, read::completeExceptionally);
            return read;
        });
    }

    @Override
    public long started() {
        return started.sum();
    }

    @Override
    public long cancelled() {
        return cancelled.sum();
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /**
     * One query. Cancelling it asks the server to cancel it, and it ends when the query has ended, so that the hedge's {@code settled()} is
     * true. PostgreSQL cancels whatever a connection is doing when the request arrives; so nobody else gets the connection before that. The
     * driver's own cancel request is done when it is sent, and may arrive when somebody else has the connection; the answer to this one says
     * that it has arrived.
     */
    private final class Read extends CompletableFuture<Integer> {

        private final int customer;
        private final Pool cancels;

        // Guarded by this; nothing foreign is called while it is held.
        private @Nullable PgConnection running;
        private boolean lost;
        private boolean cancelling;

        Read(int customer, Pool cancels) {
            this.customer = customer;
            this.cancels = cancels;
        }

        void run(SqlConnection taken) {
            PgConnection connection = PgConnection.cast(taken);
            if (!begin(connection)) {
                giveBack(connection);
                completeExceptionally(new CancellationException("lost before the query was sent"));
                return;
            }
            started.increment();
            var unused = connection.query(text(customer, slowShare)).execute().onComplete(done -> {
                if (end()) {
                    giveBack(connection);
                }
                if (done.succeeded()) {
                    complete(done.result().iterator().next().getInteger(0));
                } else {
                    countIfCancelled(done.cause());
                    completeExceptionally(done.cause());
                }
            });
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            PgConnection connection = lose();
            if (connection != null) {
                stop(connection);
            }
            return false; // not yet
        }

        /** Once more if need be: a cancel that overtakes its query on the way to the server has no effect. */
        private void stop(PgConnection connection) {
            var answer = cancels.query("select pg_cancel_backend(" + connection.processId() + ")")
                    .execute();
            var unused = answer.onComplete(arrived -> {
                if (cancelled()) {
                    giveBack(connection);
                } else {
                    vertx.setTimer(CANCEL_PAUSE_MILLIS, again -> stopIfRunning(connection));
                }
            });
        }

        private void stopIfRunning(PgConnection connection) {
            if (cancelAgain()) {
                stop(connection);
            }
        }

        private synchronized boolean begin(PgConnection connection) {
            if (lost) {
                return false;
            }
            running = connection;
            return true;
        }

        private synchronized @Nullable PgConnection lose() {
            if (lost) {
                return null;
            }
            lost = true;
            cancelling = running != null;
            return running;
        }

        /** Whether it is for the caller, the query's end, to give the connection back. */
        private synchronized boolean end() {
            running = null;
            return !cancelling;
        }

        /** Whether it is for the caller, the cancel's end, to give the connection back. */
        private synchronized boolean cancelled() {
            cancelling = false;
            return running == null;
        }

        private synchronized boolean cancelAgain() {
            cancelling = running != null;
            return cancelling;
        }
    }

    private void countIfCancelled(Throwable failure) {
        if (failure instanceof PgException refused && QUERY_CANCELED.equals(refused.getSqlState())) {
            cancelled.increment();
        }
    }

    private static void giveBack(PgConnection connection) {
        var unused = connection.close();
    }
}
