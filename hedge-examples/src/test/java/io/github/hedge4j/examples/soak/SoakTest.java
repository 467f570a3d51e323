package io.github.hedge4j.examples.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class SoakTest {

    /** Long enough for each kind of trouble once; {@code .ci/run} has a minute of it. */
    @Test
    void nothingIsLostOrLeftWhileServersComeAndGo() throws Exception {
        Soak.Result result = Soak.run(Duration.ofSeconds(6));

        assertThat(result.trouble()).hasSize(Trouble.Kind.values().length);
        assertThat(result.lost()).isZero();
        assertThat(result.wrong()).isZero();
        assertThat(result.counted()).isEqualTo(result.calls());
        assertThat(result.reported()).isEqualTo(result.calls());
        assertThat(result.inFlightAtServers()).isZero();
        assertThat(result.metrics().getInFlightAttempts()).isZero();
        assertThat(result.answered()).isGreaterThan(result.calls() * 9 / 10);
        assertThat(result.isClean()).as("%s", result).isTrue();
    }
}
