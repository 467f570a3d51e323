package io.github.hedge4j;

import static io.github.hedge4j.Scenario.failsAtOnce;
import static io.github.hedge4j.Scenario.succeedsAfter;
import static io.github.hedge4j.Scenario.succeedsAtOnce;
import static io.github.hedge4j.Scenario.throwing;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an attempt knows about itself. */
class AttemptTest {

    @RegisterExtension
    final Scenario scenario = new Scenario();

    private final List<Optional<Attempt>> current = new ArrayList<>();

    @Test
    void attemptsAreNumberedFromZeroAndAllButTheFirstAreHedges() {
        scenario.configured(config -> config.maxAttempts(3));

        var call = scenario.start();
        scenario.advance(100);

        for (int number = 0; number < 3; number++) {
            assertThat(scenario.source(number).attempt.number()).isEqualTo(number);
            assertThat(scenario.source(number).attempt.isHedge()).isEqualTo(number > 0);
            assertThat(scenario.source(number).attempt.target()).isEmpty();
        }
        call.cancel(true);
    }

    @Test
    void theCurrentAttemptIsThereWhileItsSupplierIsInvokedAndThenNoMore() {
        scenario.primary(source -> {
            current.add(Attempt.current());
            return source;
        });

        var call = scenario.start();
        current.add(Attempt.current());

        assertThat(current).containsExactly(Optional.of(scenario.source(0).attempt), Optional.empty());
        call.cancel(true);
    }

    @Test
    void theDeadlineCountsFromTheStartAlsoIfTheAttemptIsAskedForLate() {
        var hedge = Hedge.of(
                "late",
                HedgeConfig.custom()
                        .maxAttempts(1)
                        .timeout(ofMillis(60))
                        .timer(scenario.timer)
                        .executor(Runnable::run)
                        .build());
        var source = new CompletableFuture<String>();

        var call = hedge.executeCompletionStage(() -> {
                    scenario.advance(30); // a supplier that takes its time
                    assertThat(Attempt.current().orElseThrow().remaining()).contains(ofMillis(30));
                    return source;
                })
                .toCompletableFuture();
        scenario.advance(30);

        assertThat(call).isCompletedExceptionally();
        assertThat(source).isCancelled();
    }

    @Test
    void theCurrentAttemptIsGoneAfterASupplierThatThrew() {
        scenario.configured(config -> config.maxAttempts(1)).primary(throwing(new StackOverflowError()));

        scenario.begin();

        assertThat(Attempt.current()).isEmpty();
    }

    @Test
    void theCurrentAttemptIsThereInAHedgesOwnThread() {
        var executor = new QueueExecutor();
        scenario.configured(config -> config.executor(executor)).hedge(source -> {
            current.add(Attempt.current());
            return source;
        });
        var call = scenario.start();
        scenario.advance(50);

        Threads.elsewhere(executor::runAll);

        assertThat(current).containsExactly(Optional.of(scenario.source(1).attempt));
        call.cancel(true);
    }

    @Test
    void theCurrentAttemptIsNotThereOnOtherThreads() {
        scenario.primary(source -> {
            Threads.elsewhere(() -> current.add(Attempt.current()));
            return source;
        });

        var call = scenario.start();

        assertThat(current).containsExactly(Optional.empty());
        call.cancel(true);
    }

    @Test
    void theCurrentAttemptIsNotThereInsideTheStagesThatASupplierBuilds() {
        scenario.primary(source -> {
            var unused = source.thenRun(() -> current.add(Attempt.current()));
            return source;
        });

        scenario.begin();
        scenario.source(0).complete("primary");

        assertThat(current).containsExactly(Optional.empty());
    }

    @Test
    void theCurrentAttemptIsTheInnerOneInsideAHedgeWithinAHedgeAndTheOuterOneAfterIt() {
        var inner = Hedge.of("inner", HedgeConfig.racing(1));
        scenario.primary(source -> {
            current.add(Attempt.current());
            var stage = inner.<Object>decorateAttempts(attempt -> {
                        assertThat(Attempt.current()).containsSame(attempt);
                        current.add(Attempt.current());
                        return CompletableFuture.completedFuture("inner");
                    })
                    .get();
            current.add(Attempt.current());
            return stage;
        });

        var call = scenario.start();

        assertThat(call).isCompletedWithValue("inner");
        assertThat(current.get(0)).isEqualTo(current.get(2)).isNotEqualTo(current.get(1));
        assertThat(Attempt.current()).isEmpty();
    }

    @Test
    void aHedgeThatStartsOnTheThreadOfAnotherCallsSupplierLeavesThatCallsAttemptCurrent() {
        var other = new Scenario();
        other.begin();
        scenario.primary(source -> {
            other.advance(50);
            current.add(Attempt.current());
            return source;
        });

        var call = scenario.start();

        assertThat(other.invocations()).isEqualTo(2);
        assertThat(current).containsExactly(Optional.of(scenario.source(0).attempt));
        call.cancel(true);
    }

    @Test
    void thePrimaryIsCurrentAgainAfterAHedgeThatStartsInsideItsSupplier() {
        scenario.primary(source -> {
            scenario.advance(50);
            current.add(Attempt.current());
            return source;
        });

        var call = scenario.start();
        scenario.advance(50);

        assertThat(current).containsExactly(Optional.of(scenario.source(0).attempt));
        call.cancel(true);
    }

    @Test
    void theCallIdIsTheSameForAllAttemptsOfACall() {
        scenario.configured(config -> config.maxAttempts(3)).hedge(failsAtOnce(new IOException()));

        var call = scenario.start();
        scenario.advance(100);

        var ids = new HashSet<UUID>();
        for (int number = 0; number < 3; number++) {
            ids.add(scenario.source(number).attempt.callId());
            ids.add(scenario.source(number).attempt.callId());
        }
        assertThat(ids).hasSize(1).doesNotContainNull();
        call.cancel(true);
    }

    @Test
    void theCallIdIsAnotherForEveryCall() {
        scenario.primary(succeedsAtOnce("primary"));
        var ids = new HashSet<UUID>();

        for (int i = 0; i < 100; i++) {
            scenario.begin();
            scenario.get();
        }

        for (int i = 0; i < 200; i++) {
            ids.add(scenario.source(i).attempt.callId());
        }
        assertThat(ids).hasSize(200);
    }

    @Test
    void theCallIdIsTheSameFromAllThreadsThatAskFirst() {
        var call = scenario.start();
        scenario.advance(50);
        var ids = new HashSet<UUID>();

        Threads.elsewhere(() -> ids.add(scenario.source(0).attempt.callId()));
        ids.add(scenario.source(1).attempt.callId());

        assertThat(ids).hasSize(1);
        call.cancel(true);
    }

    @Test
    void theRemainingTimeCountsDownToZeroAndNoFurther() {
        scenario.configured(config -> config.timeout(ofMillis(80)).maxAttempts(2));
        List<Optional<Duration>> remaining = new ArrayList<>();
        scenario.primary(source -> {
            remaining.add(source.attempt.remaining());
            return source;
        });
        scenario.hedge(source -> {
            remaining.add(source.attempt.remaining());
            return source;
        });

        scenario.begin();
        scenario.advance(50);
        scenario.advance(29);
        remaining.add(scenario.source(0).attempt.remaining());
        scenario.advance(1);
        remaining.add(scenario.source(0).attempt.remaining());
        scenario.advance(1000);
        remaining.add(scenario.source(1).attempt.remaining());

        assertThat(remaining)
                .containsExactly(
                        Optional.of(ofMillis(80)),
                        Optional.of(ofMillis(30)),
                        Optional.of(ofMillis(1)),
                        Optional.of(ZERO),
                        Optional.of(ZERO));
    }

    @Test
    void withoutADeadlineNoTimeRemains() {
        scenario.primary(succeedsAfter(10, "primary"));

        scenario.begin();
        scenario.advance(10);

        assertThat(scenario.source(0).attempt.remaining()).isEmpty();
    }
}
