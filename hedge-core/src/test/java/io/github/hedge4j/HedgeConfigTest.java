package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.api.Named.named;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.hedge4j.time.HedgeTimer;
import io.github.hedge4j.time.VirtualTimer;
import io.github.resilience4j.core.ContextPropagator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HedgeConfigTest {

    @Test
    void theDefaultsAreThoseOfTheContract() {
        var config = HedgeConfig.ofDefaults();

        assertThat(config.getDelay()).isEqualTo(HedgeDelay.percentile(0.95));
        assertThat(config.getMaxAttempts()).isEqualTo(2);
        assertThat(config.getBudget()).isEqualTo(HedgeBudget.ratio(0.10));
        assertThat(config.getTimeout()).isEmpty();
        assertThat(config.getMaxConcurrentHedges()).isEqualTo(Integer.MAX_VALUE);
        assertThat(config.isHedgeOnFailure()).isTrue();
        assertThat(config.getHedgeOnException()).accepts(new Exception(), new Error());
        assertThat(config.getHedgeOnResult()).isEmpty();
        assertThat(config.getStopHedgingOn()).isEmpty();
        assertThat(config.getOnDiscard()).isEmpty();
        assertThat(config.getLoserGrace()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.isCancelLosers()).isTrue();
        assertThat(config.getExecutor()).isSameAs(new CompletableFuture<>().defaultExecutor());
        assertThat(config.getTimer()).isSameAs(HedgeTimer.system());
        assertThat(config.getContextPropagators()).isEmpty();
        assertThat(config.getMode()).isEqualTo(HedgeMode.ACTIVE);
        assertThat(config.isWritableStackTraceEnabled()).isTrue();
    }

    @Test
    void whatIsSetIsWhatIsGot() {
        Predicate<Object> emptyResult = ""::equals;
        Predicate<Throwable> pushback = failure -> false;
        Consumer<Object> closer = result -> {};
        Executor executor = Runnable::run;
        var timer = new VirtualTimer();
        ContextPropagator<?> propagator = ContextPropagator.empty();

        var config = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(50)))
                .maxAttempts(3)
                .budget(HedgeBudget.none())
                .timeout(Duration.ofSeconds(2))
                .maxConcurrentHedges(7)
                .hedgeOnFailure(false)
                .hedgeOnResult(emptyResult)
                .stopHedgingOn(pushback)
                .onDiscard(closer)
                .loserGrace(Duration.ZERO)
                .cancelLosers(false)
                .executor(executor)
                .timer(timer)
                .contextPropagator(propagator)
                .mode(HedgeMode.SHADOW)
                .writableStackTraceEnabled(false)
                .build();

        assertThat(config.getDelay()).isEqualTo(HedgeDelay.fixed(Duration.ofMillis(50)));
        assertThat(config.getMaxAttempts()).isEqualTo(3);
        assertThat(config.getBudget()).isEqualTo(HedgeBudget.none());
        assertThat(config.getTimeout()).contains(Duration.ofSeconds(2));
        assertThat(config.getMaxConcurrentHedges()).isEqualTo(7);
        assertThat(config.isHedgeOnFailure()).isFalse();
        assertThat(config.getHedgeOnResult()).containsSame(emptyResult);
        assertThat(config.getStopHedgingOn()).containsSame(pushback);
        assertThat(config.getOnDiscard()).containsSame(closer);
        assertThat(config.getLoserGrace()).isZero();
        assertThat(config.isCancelLosers()).isFalse();
        assertThat(config.getExecutor()).isSameAs(executor);
        assertThat(config.getTimer()).isSameAs(timer);
        assertThat(config.getContextPropagators()).containsExactly(propagator);
        assertThat(config.getMode()).isEqualTo(HedgeMode.SHADOW);
        assertThat(config.isWritableStackTraceEnabled()).isFalse();
    }

    @Test
    void racingStartsAllAttemptsAtOnceAndPaysForAll() {
        var config = HedgeConfig.racing(5);

        assertThat(config.getDelay()).isEqualTo(HedgeDelay.fixed(Duration.ZERO));
        assertThat(config.getMaxAttempts()).isEqualTo(5);
        assertThat(config.getBudget()).isEqualTo(HedgeBudget.unlimited());
    }

    @Test
    void theLimitsThemselvesAreAllowed() {
        var config = HedgeConfig.custom()
                .maxAttempts(100_000)
                .maxConcurrentHedges(0)
                .loserGrace(Duration.ZERO)
                .timeout(Duration.ofNanos(2))
                .delay(HedgeDelay.fixed(Duration.ofNanos(1)));

        assertThat(config.build().getMaxAttempts()).isEqualTo(100_000);
        assertThat(config.maxAttempts(1).build().getMaxAttempts()).isEqualTo(1);
    }

    @Test
    void durationsTooLongToCountInNanosecondsAreAllowed() {
        var eternity = Duration.ofSeconds(Long.MAX_VALUE);

        var config = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(eternity.minusNanos(1)))
                .timeout(eternity)
                .loserGrace(eternity)
                .build();

        assertThat(config.getTimeout()).contains(eternity);
    }

    @ParameterizedTest
    @MethodSource
    void valuesOutOfRangeAreRefusedAtOnce(Consumer<HedgeConfig.Builder> setting, String message) {
        var builder = HedgeConfig.custom();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> setting.accept(builder))
                .withMessage(message);
        assertThat(builder.build()).isEqualTo(HedgeConfig.ofDefaults());
    }

    static Stream<Arguments> valuesOutOfRangeAreRefusedAtOnce() {
        return Stream.of(
                refusal(builder -> builder.maxAttempts(0), "maxAttempts must be >= 1, but was 0"),
                refusal(builder -> builder.maxAttempts(-3), "maxAttempts must be >= 1, but was -3"),
                refusal(builder -> builder.maxAttempts(100_001), "maxAttempts must be <= 100000, but was 100001"),
                refusal(builder -> HedgeConfig.racing(0), "maxAttempts must be >= 1, but was 0"),
                refusal(builder -> builder.maxConcurrentHedges(-1), "maxConcurrentHedges must be >= 0, but was -1"),
                refusal(builder -> builder.timeout(Duration.ZERO), "timeout must be > PT0S, but was PT0S"),
                refusal(builder -> builder.timeout(Duration.ofMillis(-1)), "timeout must be > PT0S, but was PT-0.001S"),
                refusal(
                        builder -> builder.loserGrace(Duration.ofNanos(-1)),
                        "loserGrace must be >= PT0S, but was PT-0.000000001S"));
    }

    @ParameterizedTest
    @MethodSource
    @SuppressWarnings("NullAway")
    void nullIsRefusedAtOnce(Consumer<HedgeConfig.Builder> setting, String message) {
        var builder = HedgeConfig.custom();

        assertThatNullPointerException()
                .isThrownBy(() -> setting.accept(builder))
                .withMessage(message);
        assertThat(builder.build()).isEqualTo(HedgeConfig.ofDefaults());
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static Stream<Arguments> nullIsRefusedAtOnce() {
        return Stream.of(
                refusal(builder -> builder.delay(null), "delay must not be null"),
                refusal(builder -> builder.budget(null), "budget must not be null"),
                refusal(builder -> builder.timeout(null), "timeout must not be null"),
                refusal(builder -> builder.hedgeExceptions((Class[]) null), "hedgeExceptions must not be null"),
                refusal(
                        builder -> builder.hedgeExceptions(IOException.class, null),
                        "hedgeExceptions must not contain null"),
                refusal(builder -> builder.ignoreExceptions((Class[]) null), "ignoreExceptions must not be null"),
                refusal(
                        builder -> builder.ignoreExceptions((Class<? extends Throwable>) null),
                        "ignoreExceptions must not contain null"),
                refusal(builder -> builder.hedgeOnException(null), "hedgeOnException must not be null"),
                refusal(builder -> builder.hedgeOnResult(null), "hedgeOnResult must not be null"),
                refusal(builder -> builder.stopHedgingOn(null), "stopHedgingOn must not be null"),
                refusal(builder -> builder.onDiscard(null), "onDiscard must not be null"),
                refusal(builder -> builder.loserGrace(null), "loserGrace must not be null"),
                refusal(builder -> builder.executor(null), "executor must not be null"),
                refusal(builder -> builder.timer(null), "timer must not be null"),
                refusal(
                        builder -> builder.contextPropagator((ContextPropagator[]) null),
                        "contextPropagator must not be null"),
                refusal(
                        builder -> builder.contextPropagator((ContextPropagator<?>) null),
                        "contextPropagator must not contain null"),
                refusal(builder -> builder.mode(null), "mode must not be null"),
                refusal(builder -> HedgeConfig.from(null), "baseConfig must not be null"));
    }

    @ParameterizedTest
    @MethodSource
    void aFixedDelayAtOrPastTheTimeoutIsRefusedInWhateverOrderTheyAreSet(HedgeConfig.Builder builder) {
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessage("delay must be < timeout PT0.05S, but was PT0.05S");
    }

    static Stream<HedgeConfig.Builder> aFixedDelayAtOrPastTheTimeoutIsRefusedInWhateverOrderTheyAreSet() {
        var duration = Duration.ofMillis(50);
        var delay = HedgeDelay.fixed(duration);
        return Stream.of(
                HedgeConfig.custom().delay(delay).timeout(duration),
                HedgeConfig.custom().timeout(duration).delay(delay),
                HedgeConfig.from(HedgeConfig.custom().delay(delay).build()).timeout(duration),
                HedgeConfig.from(HedgeConfig.custom().timeout(duration).build()).delay(delay));
    }

    @Test
    void aLearntDelayMayPassTheTimeout() {
        var config = HedgeConfig.custom()
                .delay(HedgeDelay.percentile(0.9).withInitial(Duration.ofSeconds(3)))
                .timeout(Duration.ofSeconds(1));

        assertThat(config.build().getTimeout()).contains(Duration.ofSeconds(1));
    }

    @Test
    void aConfigurationIsNotChangedByThoseMadeFromIt() {
        var base = HedgeConfig.custom()
                .maxAttempts(3)
                .hedgeExceptions(IOException.class)
                .ignoreExceptions(SocketException.class)
                .build();
        var before = base.toString();

        var derived = HedgeConfig.from(base)
                .maxAttempts(9)
                .hedgeExceptions(Error.class)
                .ignoreExceptions()
                .contextPropagator(ContextPropagator.empty())
                .build();

        assertThat(base).hasToString(before);
        assertThat(base.getHedgeOnException()).accepts(new IOException()).rejects(new SocketException(), new Error());
        assertThat(derived.getMaxAttempts()).isEqualTo(9);
        assertThat(derived.getHedgeOnException()).accepts(new Error()).rejects(new IOException());
    }

    @Test
    void aConfigurationIsNotChangedByTheBuilderThatMadeIt() {
        var builder = HedgeConfig.custom().maxAttempts(3);
        var config = builder.build();

        builder.maxAttempts(4).ignoreExceptions(IOException.class);

        assertThat(config.getMaxAttempts()).isEqualTo(3);
        assertThat(config.getHedgeOnException()).accepts(new IOException());
    }

    @Test
    void arraysAreCopied() {
        Class<? extends Throwable>[] classes = classes(IOException.class);
        ContextPropagator<?>[] propagators = {ContextPropagator.empty()};
        var propagator = propagators[0];
        var config = HedgeConfig.custom()
                .ignoreExceptions(classes)
                .contextPropagator(propagators)
                .build();

        classes[0] = Error.class;
        propagators[0] = ContextPropagator.empty();

        assertThat(config.getHedgeOnException()).accepts(new Error()).rejects(new IOException());
        assertThat(config.getContextPropagators()).containsExactly(propagator);
        assertThat(config.getContextPropagators()).isUnmodifiable();
    }

    @Test
    void withListedExceptionsOnlyTheseAndTheirSubclassesMayBeOutrun() {
        var filter = HedgeConfig.custom()
                .hedgeExceptions(IOException.class, IllegalStateException.class)
                .build()
                .getHedgeOnException();

        assertThat(filter)
                .accepts(new IOException(), new SocketException(), new IllegalStateException())
                .rejects(new Exception(), new Error());
    }

    @Test
    void withPredicateOnlyWhatItAcceptsMayBeOutrun() {
        var filter = HedgeConfig.custom()
                .hedgeOnException(failure -> "slow".equals(failure.getMessage()))
                .build()
                .getHedgeOnException();

        assertThat(filter).accepts(new IOException("slow")).rejects(new IOException("gone"));
    }

    @Test
    void withListAndPredicateEitherIsEnough() {
        var filter = HedgeConfig.custom()
                .hedgeOnException(failure -> "slow".equals(failure.getMessage()))
                .hedgeExceptions(IOException.class)
                .build()
                .getHedgeOnException();

        assertThat(filter).accepts(new IOException(), new Error("slow")).rejects(new Error());
    }

    @Test
    void ignoredExceptionsWinOverEverything() {
        var asked = new ArrayList<Throwable>();
        var filter = HedgeConfig.custom()
                .ignoreExceptions(SocketException.class)
                .hedgeExceptions(IOException.class)
                .hedgeOnException(asked::add)
                .build()
                .getHedgeOnException();

        assertThat(filter).rejects(new SocketException());
        assertThat(asked).isEmpty();
    }

    @Test
    void withIgnoredExceptionsAloneAllOthersMayBeOutrun() {
        var filter =
                HedgeConfig.custom().ignoreExceptions(IOException.class).build().getHedgeOnException();

        assertThat(filter)
                .accepts(new UncheckedIOException(new IOException()), new Error())
                .rejects(new IOException(), new SocketException());
    }

    @Test
    void exceptionsSetAgainReplaceThoseBefore() {
        var filter = HedgeConfig.custom()
                .hedgeExceptions(IOException.class)
                .hedgeExceptions(Error.class)
                .build()
                .getHedgeOnException();

        assertThat(filter).accepts(new Error()).rejects(new IOException());
    }

    @Test
    void resultPredicatesAreWrittenAsLambdasOfEitherKindAndAsMethodReferences() {
        Predicate<String> blank = String::isBlank;
        var untyped =
                HedgeConfig.custom().hedgeOnResult(result -> result.equals("")).maxAttempts(2);
        var typed = HedgeConfig.custom()
                .hedgeOnResult((String result) -> result.isEmpty())
                .maxAttempts(2);
        var witnessed = HedgeConfig.custom()
                .<String>hedgeOnResult(result -> result.isEmpty())
                .maxAttempts(2);
        var reference = HedgeConfig.custom().hedgeOnResult(String::isEmpty).maxAttempts(2);
        var variable = HedgeConfig.custom().maxAttempts(2).hedgeOnResult(blank);

        assertThat(Stream.of(untyped, typed, witnessed, reference, variable))
                .map(builder -> builder.build().getHedgeOnResult().orElseThrow())
                .allSatisfy(refused -> assertThat(refused).accepts("").rejects("result"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void configurationsDifferIfOnePropertyDoes(UnaryOperator<HedgeConfig.Builder> change) {
        var base = HedgeConfig.custom().timer(new VirtualTimer()).build();

        var changed = change.apply(HedgeConfig.from(base)).build();

        assertThat(changed).isNotEqualTo(base).doesNotHaveSameHashCodeAs(base);
        assertThat(changed.toString()).isNotEqualTo(base.toString());
        assertThat(HedgeConfig.from(changed).build()).isEqualTo(changed).hasSameHashCodeAs(changed);
    }

    static Stream<Named<UnaryOperator<HedgeConfig.Builder>>> changes() {
        return Stream.of(
                named("delay", builder -> builder.delay(HedgeDelay.percentile(0.9))),
                named("maxAttempts", builder -> builder.maxAttempts(3)),
                named("budget", builder -> builder.budget(HedgeBudget.none())),
                named("timeout", builder -> builder.timeout(Duration.ofSeconds(1))),
                named("maxConcurrentHedges", builder -> builder.maxConcurrentHedges(1)),
                named("hedgeOnFailure", builder -> builder.hedgeOnFailure(false)),
                named("hedgeExceptions", builder -> builder.hedgeExceptions(IOException.class)),
                named("ignoreExceptions", builder -> builder.ignoreExceptions(IOException.class)),
                named("hedgeOnException", builder -> builder.hedgeOnException(failure -> true)),
                named("hedgeOnResult", builder -> builder.hedgeOnResult(result -> true)),
                named("stopHedgingOn", builder -> builder.stopHedgingOn(failure -> true)),
                named("onDiscard", builder -> builder.onDiscard(result -> {})),
                named("loserGrace", builder -> builder.loserGrace(Duration.ZERO)),
                named("cancelLosers", builder -> builder.cancelLosers(false)),
                named("executor", builder -> builder.executor(Runnable::run)),
                named("timer", builder -> builder.timer(new VirtualTimer(1))),
                named("contextPropagator", builder -> builder.contextPropagator(ContextPropagator.empty())),
                named("mode", builder -> builder.mode(HedgeMode.OFF)),
                named("writableStackTraceEnabled", builder -> builder.writableStackTraceEnabled(false)));
    }

    @Test
    void configurationsAreEqualIfAllPropertiesAre() {
        var one = HedgeConfig.custom()
                .delay(HedgeDelay.fixed(Duration.ofMillis(5)))
                .hedgeExceptions(IOException.class);
        var other =
                HedgeConfig.custom().hedgeExceptions(IOException.class).delay(HedgeDelay.fixed(Duration.ofMillis(5)));

        assertThat(one.build()).isEqualTo(other.build()).hasSameHashCodeAs(other.build());
        assertThat(one.build()).isNotEqualTo("HedgeConfig");
    }

    @Test
    void aConfigurationReadsAsItsProperties() {
        assertThat(HedgeConfig.ofDefaults().toString())
                .startsWith("HedgeConfig{delay=percentile(0.95, min=PT0S, minSamples=45), maxAttempts=2,"
                        + " budget=ratio(0.1, burst=10, perSecond=0.0), timeout=none,")
                .endsWith("contextPropagator=[], mode=ACTIVE, writableStackTraceEnabled=true}");
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Class<? extends Throwable>[] classes(Class<? extends Throwable>... classes) {
        return classes;
    }

    private static Arguments refusal(Consumer<HedgeConfig.Builder> setting, String message) {
        return arguments(named(message, setting), message);
    }
}
