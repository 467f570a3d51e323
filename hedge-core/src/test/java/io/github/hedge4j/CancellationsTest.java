package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

class CancellationsTest {

    @Test
    void stoppedWorkIsCancelledWork() {
        assertThat(new StoppedException(null))
                .isInstanceOf(CancellationException.class)
                .hasMessage("The stop signal completed before the work did")
                .hasNoCause();
    }

    @Test
    void stoppedWorkTellsWhatItsSignalFailedWith() {
        var failure = new IOException();

        assertThat(new StoppedException(failure)).cause().isSameAs(failure);
    }

    @Test
    void aSupersededCallIsACancelledCall() {
        assertThat(new SupersededException())
                .isInstanceOf(CancellationException.class)
                .hasMessage("A newer call took the place of this one");
    }
}
