package io.github.hedge4j.examples.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class PostgresReplicasTest {

    private static final int READS = 300;
    private static final int RACES = 1_000;

    /** That connections survive as well is checked by the program, which fails otherwise. */
    @Test
    void noServerWorksOnAQueryWhoseReadIsOverAndEveryConnectionIsUsedAgain() throws Exception {
        List<Run> runs = PostgresReplicas.run(READS, RACES);

        assertThat(runs)
                .extracting(Run::way)
                .containsExactly(
                        "JDBC, one replica",
                        "JDBC, hedged after 20 ms",
                        "JDBC, raced",
                        "non-blocking, hedged after 20 ms",
                        "non-blocking, raced");
        assertThat(runs).allSatisfy(run -> {
            assertThat(run.wrong()).isZero();
            assertThat(run.activeAfterwards()).isZero();
            assertThat(run.connectionsInUse()).isZero();
        });
        assertThat(runs.get(0).cancelled()).isZero();
        assertThat(runs.subList(1, 5)).allSatisfy(run -> {
            // Five reads in a hundred are slow, and each of these was cut short at its server.
            assertThat(run.cancelled()).isGreaterThan(run.reads() / 50);
            assertThat(run.latencies().millisAt(0.96))
                    .isLessThan(runs.get(0).latencies().millisAt(0.99) / 2);
            assertThat(run.untilSettled().millisAt(0.96))
                    .isLessThan(runs.get(0).latencies().millisAt(0.99) / 2);
        });
    }
}
