package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.delay.DelayRule;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A hedge's counters. A call that needs no hedge adds to one of them (two if its primary was pending); what can be derived from others
 * is not counted again.
 */
final class Counters implements Hedge.Metrics {

    /** A group of counters, one for each constant of an enum. */
    static final class PerReason<E extends Enum<E>> {

        private final Map<E, LongAdder> adders;

        PerReason(Class<E> reasons) {
            adders = new EnumMap<>(reasons);
            for (E reason : reasons.getEnumConstants()) {
                adders.put(reason, new LongAdder());
            }
        }

        void increment(E reason) {
            requireNonNull(adders.get(reason)).increment();
        }

        long get(E reason) {
            return requireNonNull(adders.get(reason)).sum();
        }

        long total() {
            return adders.values().stream().mapToLong(LongAdder::sum).sum();
        }

        /** Those above zero. */
        @Override
        public String toString() {
            return adders.entrySet().stream()
                    .filter(reason -> reason.getValue().sum() > 0)
                    .map(Object::toString)
                    .collect(Collectors.joining(", ", "{", "}"));
        }
    }

    private final StandardHedge hedge;

    /** Calls whose primary had succeeded when its supplier returned: calls, attempts and successes in one. */
    private final LongAdder atOnce = new LongAdder();

    /** Calls that their pending primary won on the short path: calls, ended attempts and successes in one. */
    private final LongAdder shortly = new LongAdder();

    /** Attempts of all other calls and primaries of the short path; hedges among them. */
    private final LongAdder attempts = new LongAdder();

    private final LongAdder hedges = new LongAdder();

    /** Ended attempts but for the ones above. */
    private final Targets targets = new Targets();

    /** Attempts that have ended after they had been given up on. */
    private final LongAdder endedAfterAll = new LongAdder();

    private final LongAdder wonByPrimary = new LongAdder();
    private final LongAdder wonByHedge = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final PerReason<DenialReason> denials = new PerReason<>(DenialReason.class);

    /** By the number of the winner, hedges only. */
    private final Map<Integer, LongAdder> winsByHedge = new ConcurrentHashMap<>();

    /** From the start of successful calls to their result, in all. */
    private final LongAdder successNanos = new LongAdder();

    Counters(StandardHedge hedge) {
        this.hedge = hedge;
    }

    // ---- counting

    void primaryWonAtOnce() {
        atOnce.increment();
    }

    void primaryWon() {
        shortly.increment();
    }

    void primaryWon(CallAttempt<?> winner) {
        wonByPrimary.increment();
        targets.of(winner.targetName()).wins.increment();
    }

    void hedgeWon(CallAttempt<?> winner) {
        wonByHedge.increment();
        winsByHedge.computeIfAbsent(winner.number(), any -> new LongAdder()).increment();
        targets.of(winner.targetName()).wins.increment();
    }

    /** A call succeeded after this time, and stands for {@code weight} calls that did. */
    void succeededAfter(long nanos, int weight) {
        successNanos.add(nanos * weight);
    }

    /** These are what attempts will ask. */
    void targetsAre(Iterable<String> names) {
        names.forEach(targets::of);
    }

    void failed() {
        failed.increment();
    }

    void timedOut() {
        timedOut.increment();
    }

    void cancelled() {
        cancelled.increment();
    }

    void denied(DenialReason reason) {
        denials.increment(reason);
    }

    void primaryStarted() {
        attempts.increment();
    }

    void hedgeStarted() {
        attempts.increment();
        hedges.increment();
    }

    void attemptEnded(CallAttempt<?> attempt, AttemptOutcome outcome, boolean givenUp) {
        if (givenUp) {
            endedAfterAll.increment();
        } else {
            count(attempt, outcome);
        }
    }

    void unresponsive(CallAttempt<?> attempt) {
        count(attempt, AttemptOutcome.UNRESPONSIVE);
    }

    private void count(CallAttempt<?> attempt, AttemptOutcome outcome) {
        targets.of(attempt.targetName()).outcomes.increment(outcome);
    }

    // ---- reading

    @Override
    public long getNumberOfCalls() {
        return getNumberOfCallsWonByPrimary()
                + getNumberOfCallsWonByHedge()
                + getNumberOfFailedCalls()
                + getNumberOfTimedOutCalls()
                + getNumberOfCancelledCalls();
    }

    @Override
    public long getNumberOfCallsWonByPrimary() {
        return atOnce.sum() + shortly.sum() + wonByPrimary.sum();
    }

    @Override
    public long getNumberOfCallsWonByHedge() {
        return wonByHedge.sum();
    }

    @Override
    public long getNumberOfFailedCalls() {
        return failed.sum();
    }

    @Override
    public long getNumberOfTimedOutCalls() {
        return timedOut.sum();
    }

    @Override
    public long getNumberOfCancelledCalls() {
        return cancelled.sum();
    }

    @Override
    public long getNumberOfAttempts() {
        return atOnce.sum() + attempts.sum();
    }

    @Override
    public long getNumberOfHedges() {
        return hedges.sum();
    }

    @Override
    public long getNumberOfDeniedHedges() {
        return denials.total();
    }

    @Override
    public long getNumberOfDeniedHedges(DenialReason reason) {
        return denials.get(reason);
    }

    @Override
    public long getNumberOfUnresponsiveLosers() {
        return targets.total(AttemptOutcome.UNRESPONSIVE);
    }

    @Override
    public int getInFlightAttempts() {
        long givenUp = getNumberOfUnresponsiveLosers();
        long ended = endedAfterAll.sum() + targets.total() - givenUp + shortly.sum();
        return (int) Math.max(0, attempts.sum() - ended);
    }

    @Override
    public Optional<Duration> getCurrentDelay() {
        long nanos = hedge.policy().delayNanos(1);
        return nanos == DelayRule.NONE || nanos == Policy.BROKEN
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, nanos)));
    }

    @Override
    public double getAvailableBudget() {
        Policy policy = hedge.policy();
        return policy.balance.available(policy.balanceClock.nanoTime());
    }

    @Override
    public Map<String, TargetMetrics> getTargets() {
        return targets.named();
    }

    @Override
    public TargetMetrics getUntargeted() {
        TargetMetrics others = targets.of(null).read();
        long shortPath = atOnce.sum() + shortly.sum();
        return new TargetMetrics(
                shortPath + others.successes(), others.failures(), others.cancelled(), shortPath + others.wins());
    }

    @Override
    public Runnable onTarget(Consumer<String> listener) {
        return targets.tell(requireNonNull(listener, "listener must not be null"));
    }

    @Override
    public Map<Integer, Long> getWinsByAttempt() {
        Map<Integer, Long> wins = new TreeMap<>();
        wins.put(0, getNumberOfCallsWonByPrimary());
        winsByHedge.forEach((number, count) -> wins.put(number, count.sum()));
        return wins;
    }

    @Override
    public Duration getTotalTimeToSuccess() {
        return Duration.ofNanos(successNanos.sum());
    }

    @Override
    public Optional<Duration> getLatency(double quantile) {
        OptionalLong nanos = hedge.sampling.quantileNanos(quantile);
        return nanos.isEmpty() ? Optional.empty() : Optional.of(Duration.ofNanos(nanos.getAsLong()));
    }

    /** One line for a person who looks: calls by how they ended, hedges, and why others were denied. */
    @Override
    public String toString() {
        return "Metrics{calls=" + getNumberOfCalls()
                + ", wonByPrimary=" + getNumberOfCallsWonByPrimary()
                + ", wonByHedge=" + getNumberOfCallsWonByHedge()
                + ", failed=" + getNumberOfFailedCalls()
                + ", timedOut=" + getNumberOfTimedOutCalls()
                + ", cancelled=" + getNumberOfCancelledCalls()
                + ", hedges=" + getNumberOfHedges()
                + ", denied=" + denials
                + ", inFlight=" + getInFlightAttempts() + "}";
    }
}
