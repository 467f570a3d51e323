package io.github.hedge4j.examples.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class HedgedRpcTest {

    private static final int CALLS = 500;

    @Test
    void losersAreCancelledAtTheirServerAndNothingIsLeftThere() throws Exception {
        List<HedgedRpc.Run> runs = HedgedRpc.run(CALLS);

        assertThat(runs).allSatisfy(run -> {
            assertThat(run.wrong()).isZero();
            assertThat(run.inFlightAtEnd()).isZero();
        });
        HedgedRpc.Run plain = runs.get(0);
        HedgedRpc.Run hedged = runs.get(1);
        HedgedRpc.Run raced = runs.get(2);
        assertThat(plain.cancelled()).isZero();
        assertThat(hedged.cancelled()).isGreaterThan(CALLS / 100);
        assertThat(hedged.received()).isLessThan(CALLS * 115 / 100 + 1);
        assertThat(hedged.latencies().millisAt(0.96))
                .isLessThan(plain.latencies().millisAt(0.99) / 2);
        assertThat(raced.cancelled()).isGreaterThan(CALLS / 20);
    }
}
