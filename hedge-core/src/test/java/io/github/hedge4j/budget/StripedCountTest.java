package io.github.hedge4j.budget;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StripedCountTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 8, 64, 1_000})
    void noIncrementIsLostWhateverTheNumberOfStripes(int stripes) throws Exception {
        var count = new StripedCount(stripes);
        var threads = Executors.newFixedThreadPool(8);

        List<Future<?>> ends = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            ends.add(threads.submit(() -> {
                for (int i = 0; i < 10_000; i++) {
                    count.increment();
                }
            }));
        }
        for (Future<?> end : ends) {
            end.get();
        }
        threads.shutdown();

        assertThat(count.sum()).isEqualTo(80_000);
    }

    @Test
    void aThreadIsToldHowFarItsOwnStripeHasCome() {
        var count = new StripedCount(4);

        assertThat(count.increment()).isEqualTo(1);
        assertThat(count.increment()).isEqualTo(2);
    }

    @Test
    void threadsCreatedOneAfterTheOtherSpreadOverTheStripes() {
        var count = new StripedCount(16);

        int firsts = 0;
        for (int thread = 0; thread < 16; thread++) {
            firsts += onANewThread(count) == 1 ? 1 : 0;
        }

        assertThat(count.sum()).isEqualTo(16);
        assertThat(firsts).as("stripes in use").isGreaterThanOrEqualTo(8);
    }

    private static long onANewThread(StripedCount count) {
        var own = new CompletableFuture<Long>();
        new Thread(() -> own.complete(count.increment())).start();
        return own.join();
    }
}
