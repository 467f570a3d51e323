package io.github.hedge4j.examples.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.examples.shutdown.GracefulShutdown.Result;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class GracefulShutdownTest {

    @Test
    void allWorkEndsByTheSignalAndNoneStartsAfterwards() throws Exception {
        Result result = GracefulShutdown.run();

        assertThat(result.inFlightBefore()).isEqualTo(50);
        assertThat(result.stopped()).isEqualTo(50);
        assertThat(result.stoppedMillis()).isLessThan(1_000);
        assertThat(result.serverIdleMillis()).isLessThan(5_000);
        assertThat(result.refusedAfterwards()).isTrue();
        assertThat(result.startedAfterwards()).isZero();
        assertThat(result.registeredOnSignal()).isZero();
    }
}
