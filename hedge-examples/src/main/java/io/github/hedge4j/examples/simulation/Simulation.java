package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.Attempt;
import io.github.hedge4j.Hedge;
import io.github.hedge4j.time.VirtualTimer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Calls that arrive, a hedge that makes them, replicas that answer; all on one thread and in virtual time. The hedge is the real one:
 * nothing here decides when or whether to hedge. The same arguments make the same outcome, to the bit, on every JVM.
 */
final class Simulation {

    private static final int REPORTED = 1_000;

    private final Backend backend;
    private final Traffic traffic;
    private final VirtualTimer timer = new VirtualTimer();
    private final Hedge hedge;
    private final Replica[] replicas;
    private final Luck luck;
    private final RandomGenerator arrivals;
    private final Progress progress;

    private final long[] latencyNanos;
    private final List<int[]> seconds = new ArrayList<>(); // calls, good, hedges
    private int arrived;
    private int ended;
    private long hedges;
    private long good;
    private long busyNanos;
    private long endNanos;

    private Simulation(Backend backend, Traffic traffic, Policy policy, Progress progress) {
        this.progress = progress;
        this.backend = backend;
        this.traffic = traffic;
        this.hedge = policy.open(timer);
        this.replicas = IntStream.range(0, backend.replicas())
                .mapToObj(number -> new Replica(number, backend, timer))
                .toArray(Replica[]::new);
        this.luck = new Luck(traffic.seed());
        this.arrivals = luck.arrivals();
        this.latencyNanos = new long[traffic.calls()];
    }

    /** Hears how far simulations have come, from all threads that run one. */
    @FunctionalInterface
    interface Progress {

        void ended(int calls);
    }

    /** Runs until every call has ended and every replica is idle. */
    static Outcome run(Backend backend, Traffic traffic, Policy policy) {
        return run(backend, traffic, policy, calls -> {});
    }

    static Outcome run(Backend backend, Traffic traffic, Policy policy, Progress progress) {
        return new Simulation(backend, traffic, policy, progress).run(policy.name());
    }

    private Outcome run(String name) {
        scheduleArrival();
        while (timer.advanceToNext()) {
            // whatever happens next
        }
        if (ended != traffic.calls() || !Arrays.stream(replicas).allMatch(Replica::isIdle)) {
            throw new IllegalStateException(ended + " of " + traffic.calls() + " calls have ended; " + hedge);
        }
        long[] counted = Arrays.copyOfRange(latencyNanos, traffic.warmUp(), traffic.calls());
        double utilisation = (double) busyNanos / endNanos / replicas.length / backend.slots();
        return new Outcome(
                name,
                new Latencies(counted),
                hedges,
                good,
                utilisation,
                seconds.stream().map(s -> new Outcome.Second(s[0], s[1], s[2])).toList());
    }

    private void scheduleArrival() {
        double gapSeconds = -Law.logUniform(arrivals) / traffic.perSecond();
        timer.schedule(this::arrive, Math.round(gapSeconds * 1e9));
    }

    private void arrive() {
        if (arrived + 1 < traffic.calls()) {
            scheduleArrival();
        } else {
            endNanos = timer.nanoTime();
            busyNanos = Arrays.stream(replicas).mapToLong(Replica::busyNanos).sum();
        }
        SimulatedCall call = new SimulatedCall(arrived++);
        CompletionStage<?> unused = hedge.<Integer>start(call).whenComplete(call::ended);
    }

    private int[] second(long nanos) {
        int second = (int) (nanos / 1_000_000_000L);
        while (seconds.size() <= second) {
            seconds.add(new int[3]);
        }
        return seconds.get(second);
    }

    /** One call: which replicas its attempts ask, and for how much work. */
    private final class SimulatedCall implements Function<Attempt, CompletableFuture<Integer>> {

        private final int number;
        private final boolean counted;
        private final long startNanos = timer.nanoTime();
        private final int[] second = second(startNanos);
        private int[] asked = new int[0]; // sorted
        private double primaryMillis;

        SimulatedCall(int number) {
            this.number = number;
            this.counted = number >= traffic.warmUp();
            second[0]++;
        }

        @Override
        public CompletableFuture<Integer> apply(Attempt attempt) {
            RandomGenerator random = luck.attempt(number, attempt.number());
            double millis;
            if (attempt.isHedge()) {
                millis = backend.hedgeLaw().nextMillis(random) + backend.likeness() * primaryMillis;
                hedges += counted ? 1 : 0;
                second[2]++;
            } else {
                millis = backend.law().nextMillis(random);
                primaryMillis = millis;
            }
            return another(random).ask(Math.round(millis * 1e6));
        }

        /** One that this call has not asked, while there are such. */
        private Replica another(RandomGenerator random) {
            int pick = Law.below(Math.max(1, replicas.length - asked.length), random);
            for (int taken : asked) {
                pick += pick >= taken ? 1 : 0;
            }
            int index = pick % replicas.length;
            asked = Arrays.copyOf(asked, asked.length + 1);
            asked[asked.length - 1] = index;
            Arrays.sort(asked);
            return replicas[index];
        }

        void ended(@Nullable Integer replica, @Nullable Throwable failure) {
            ended++;
            if (ended % REPORTED == 0) {
                progress.ended(REPORTED);
            }
            long nanos = timer.nanoTime() - startNanos;
            latencyNanos[number] = failure == null ? nanos : Latencies.FAILED;
            if (failure == null && nanos <= traffic.goodMillis() * 1e6) {
                good += counted ? 1 : 0;
                second[1]++;
            }
        }
    }
}
