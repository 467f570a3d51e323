package io.github.hedge4j.examples.bureaus;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.examples.bureaus.CreditBureaus.Run;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class CreditBureausTest {

    @Test
    void hedgingCutsTheTailAndStarvesNothing() throws Exception {
        List<Run> runs = CreditBureaus.run(300);

        Run plain = runs.get(0);
        assertThat(plain.latencies().millisAt(0.99)).isGreaterThanOrEqualTo(2_000);
        assertThat(runs.subList(1, 4)).allSatisfy(run -> {
            assertThat(run.failures()).isZero();
            assertThat(run.late()).isLessThan(run.calls() / 20);
            assertThat(run.inFlight()).isZero();
            // 300 ms where nothing else runs.
            assertThat(run.latencies().millisAt(0.99))
                    .isLessThan(plain.latencies().millisAt(0.99) / 4);
            assertThat(run.other().tasks()).isPositive();
            assertThat(run.other().p99Millis())
                    .isLessThan(1_000); // a pool that is full of slow calls takes two seconds
        });
        assertThat(runs.subList(1, 3))
                .allSatisfy(run -> assertThat(run.requestsPerCall()).isLessThan(1.25));
    }
}
