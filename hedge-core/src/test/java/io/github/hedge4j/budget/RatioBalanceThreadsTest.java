package io.github.hedge4j.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rule E1 under threads. */
class RatioBalanceThreadsTest {

    private static final int THREADS = 8;
    private static final int CALLS = 100_000;
    private static final long TOKEN = 1_000_000_000L;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void whenEveryCallWantsAHedgeEveryCreditIsSpentAndNoneTwice() throws Exception {
        var balance = new RatioBalance(0.1, 10, 0, 0);

        long hedges = sum(onAllThreads(() -> {
            long taken = 0;
            for (int call = 0; call < CALLS; call++) {
                balance.credit();
                taken += balance.tryTake(0) ? 1 : 0;
            }
            return taken;
        }));

        long credits = (long) THREADS * CALLS;
        assertThat(hedges).isEqualTo(1 + credits / 10);
        assertThat((double) hedges / credits).isCloseTo(0.1, within(0.001));
        assertThat(balance.available(0)).isZero();
    }

    @Test
    void tokensTakenAndGivenBackByManyThreadsAreAllThereAtTheEnd() throws Exception {
        var balance = new RatioBalance(1, THREADS, 0, 0);
        for (int i = 1; i < THREADS; i++) {
            balance.credit();
        }

        onAllThreads(() -> {
            for (int call = 0; call < CALLS; call++) {
                assertThat(balance.tryTake(0)).isTrue();
                balance.giveBack();
            }
            return 0L;
        });

        assertThat(balance.available(0)).isEqualTo(THREADS);
    }

    @Test
    void timeIsSharedOutOnceHoweverManyThreadsLookAtTheClock() throws Exception {
        var balance = new RatioBalance(0, 10, 0.3, 0);
        var clock = new AtomicLong();

        long hedges = sum(onAllThreads(() -> {
            long taken = 0;
            for (int call = 0; call < CALLS; call++) {
                taken += balance.tryTake(clock.addAndGet(1_000_000)) ? 1 : 0;
            }
            return taken;
        }));

        double tokens = 1 + 0.3 * clock.get() / 1e9;
        assertThat(hedges + balance.available(clock.get())).isCloseTo(tokens, within(1e-6));
    }

    /**
     * Each thread counts a call before it credits it and after, and a take before it tries and after it got one. So at
     * any instant what was really taken and credited lies between the two counts, and the bound must hold between any
     * two instants with each count on the side that makes it hold more easily.
     */
    @ParameterizedTest(name = "ratio {0}, burst {1}, a hedge is due in one call of {2}")
    @CsvSource({"0.1, 2, 1", "0.1, 2, 9", "0.1, 10, 11", "0.5, 1, 3", "1, 1, 1", "1, 3, 2"})
    void anObserverNeverSeesAnIntervalWithTooManyHedges(double ratio, int burst, int callsPerHedge) throws Exception {
        var balance = new RatioBalance(ratio, burst, 0, 0);
        long nanoRatio = Math.round(ratio * TOKEN);
        var callsBegun = new AtomicLong();
        var callsEnded = new AtomicLong();
        var takesBegun = new AtomicLong();
        var takesEnded = new AtomicLong();
        var running = new AtomicInteger(THREADS);

        var observer = threads.submit(() -> {
            long leastBefore = Long.MAX_VALUE;
            long most = 0;
            do {
                long callsAtLeast = callsEnded.get();
                long takesAtMost = takesBegun.get();
                leastBefore = Math.min(leastBefore, takesAtMost * TOKEN - callsAtLeast * nanoRatio);

                long takesAtLeast = takesEnded.get();
                long callsAtMost = callsBegun.get();
                most = Math.max(most, takesAtLeast * TOKEN - callsAtMost * nanoRatio - leastBefore);
            } while (running.get() > 0);
            return most;
        });
        onAllThreads(() -> {
            for (int call = 0; call < CALLS; call++) {
                callsBegun.incrementAndGet();
                balance.credit();
                callsEnded.incrementAndGet();
                if (call % callsPerHedge == 0) {
                    takesBegun.incrementAndGet();
                    if (balance.tryTake(0)) {
                        takesEnded.incrementAndGet();
                    } else {
                        takesBegun.decrementAndGet();
                    }
                }
            }
            running.decrementAndGet();
            return 0L;
        });

        assertThat(observer.get()).isLessThanOrEqualTo(burst * TOKEN);
    }

    private List<Long> onAllThreads(Callable<Long> work) throws Exception {
        List<Future<Long>> results = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            results.add(threads.submit(work));
        }
        List<Long> values = new ArrayList<>();
        for (Future<Long> result : results) {
            values.add(result.get());
        }
        return values;
    }

    private static long sum(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).sum();
    }
}
