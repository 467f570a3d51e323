package io.github.hedge4j.examples.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.TreeSet;

/** A PostgreSQL server of its own on a free port, a pool of connections to it, and what the server says it is doing. */
final class Replica implements AutoCloseable {

    /** How a query gets slow: now and then, by luck, here and not at the other replica. */
    private static final String SCORE = """
            create function credit_score(customer int, slow_share float) returns int language plpgsql as $$
            begin
                perform pg_sleep(case when random() < slow_share then 0.3 else 0.002 end);
                return 700 + customer % 100;
            end $$
            """;

    private static final String ACTIVE = """
            select count(*) from pg_stat_activity
            where state = 'active' and pid <> pg_backend_pid() and position(? in query) > 0
            """;

    private static final String BACKENDS = """
            select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
            """;

    private final EmbeddedPostgres server;
    private final HikariDataSource pool = new HikariDataSource();
    private final Connection view;

    /** Starts the server, which takes a few seconds, and opens all connections. */
    Replica(String name, int connections) throws IOException, SQLException, InterruptedException {
        server = EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
        view = server.getPostgresDatabase().getConnection();
        try (Statement statement = view.createStatement()) {
            statement.execute(SCORE);
        }
        pool.setPoolName(name);
        pool.setDataSource(server.getPostgresDatabase());
        pool.setMinimumIdle(connections);
        pool.setMaximumPoolSize(connections);
        pool.getConnection().close();
        while (pool.getHikariPoolMXBean().getTotalConnections() < connections) {
            Thread.sleep(10);
        }
    }

    /** A connection from the pool; waits for one, and an interrupt ends the wait. */
    Connection connection() throws SQLException {
        return pool.getConnection();
    }

    int port() {
        return server.getPort();
    }

    /** Connections that are taken from the pool now. */
    int connectionsInUse() {
        return pool.getHikariPoolMXBean().getActiveConnections();
    }

    /** How many queries with this text in them the server is working on now. */
    synchronized int active(String text) throws SQLException {
        try (PreparedStatement query = view.prepareStatement(ACTIVE)) {
            query.setString(1, text);
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** The server's processes, of which it has one per connection. */
    synchronized Set<Integer> backends() throws SQLException {
        try (Statement query = view.createStatement();
                ResultSet row = query.executeQuery(BACKENDS)) {
            Set<Integer> pids = new TreeSet<>();
            while (row.next()) {
                pids.add(row.getInt(1));
            }
            return pids;
        }
    }

    @Override
    public void close() throws IOException, SQLException {
        pool.close();
        view.close();
        server.close();
    }
}
