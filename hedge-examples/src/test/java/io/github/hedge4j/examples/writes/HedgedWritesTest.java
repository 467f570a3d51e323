package io.github.hedge4j.examples.writes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.examples.writes.HedgedWrites.Run;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("realtime")
class HedgedWritesTest {

    @Test
    void withoutAKeyHedgesBookTwiceAndWithOneTheyDoNot() throws Exception {
        List<Run> runs = HedgedWrites.run(300);

        Run once = runs.get(0);
        Run withoutKey = runs.get(1);
        Run withKey = runs.get(2);
        assertThat(once.booked()).isEqualTo(300);
        assertThat(once.requests()).isEqualTo(300);
        assertThat(withoutKey.bookedTwice()).isPositive();
        assertThat(withoutKey.booked()).isEqualTo(300 + withoutKey.bookedTwice());
        assertThat(withKey.requests()).isGreaterThan(300);
        assertThat(withKey.booked()).isEqualTo(300);
    }
}
