package io.github.hedge4j.decorators;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Fallbacks in a chain. */
class ChainWithFallbackTest extends ChainFixture {

    @Test
    void aFallbackReplacesWhatItsFormSays() {
        assertThat(failing(new IOException("down"))
                        .withFallback(failure -> "for " + failure.getMessage())
                        .get())
                .isCompletedWithValue("for down");
        assertThat(failing(new IOException("down"))
                        .withFallback(IOException.class, failure -> "typed")
                        .get())
                .isCompletedWithValue("typed");
        assertThat(failing(new IOException("down"))
                        .withFallback(List.of(ArithmeticException.class, IOException.class), failure -> "listed")
                        .get())
                .isCompletedWithValue("listed");
        assertThat(failing(new IOException("down"))
                        .withFallback((value, failure) -> value + " or " + failure.getMessage())
                        .get())
                .isCompletedWithValue("null or down");
        assertThat(returning("empty")
                        .withFallback("empty"::equals, value -> "not " + value)
                        .get())
                .isCompletedWithValue("not empty");
        assertThat(returning("full")
                        .withFallback("empty"::equals, value -> "not " + value)
                        .get())
                .isCompletedWithValue("full");
        assertThat(returning("full")
                        .withFallback((value, failure) -> value + " and " + failure)
                        .get())
                .isCompletedWithValue("full and null");
    }

    @Test
    void whatAFallbackIsNotForIsPassedOn() {
        var failure = new IOException("down");

        assertThat(failureOf(failing(failure)
                        .withFallback(ArithmeticException.class, any -> "no")
                        .get()))
                .isSameAs(failure);
        assertThat(failureOf(failing(failure)
                        .withFallback("empty"::equals, any -> "no")
                        .get()))
                .isSameAs(failure);
        assertThat(returning("full").withFallback(any -> "no").get()).isCompletedWithValue("full");
    }

    @Test
    void aTypedFallbackLooksThroughToWhyAllAttemptsFailed() {
        var call = chain().withHedge(hedge(2))
                .withFallback(IOException.class, failure -> "for " + failure.getMessage())
                .get();

        sources.get(0).completeExceptionally(new IOException("first"));
        sources.get(1).completeExceptionally(new IOException("second"));

        assertThat(call).isCompletedWithValue("for second");
    }

    @Test
    void aFallbackThatThrowsIsAFailedStage() {
        var thrown = new IllegalStateException("no fallback");

        assertThat(failureOf(failing(new IOException())
                        .withFallback(failure -> {
                            throw thrown;
                        })
                        .get()))
                .isSameAs(thrown);
    }

    @Test
    void aCallThatIsCancelledIsNotReplaced() {
        var replaced = new AtomicInteger();
        var call = future(chain().withFallback(failure -> "replaced " + replaced.incrementAndGet())
                .get());

        call.cancel(true);

        assertThat(call).isCancelled();
        assertThat(replaced).hasValue(0);
    }

    private static HedgeDecorators<String> failing(Throwable failure) {
        return HedgeDecorators.ofCompletionStage(() -> CompletableFuture.failedFuture(failure));
    }

    private static HedgeDecorators<String> returning(String value) {
        return HedgeDecorators.ofCompletionStage(() -> CompletableFuture.completedFuture(value));
    }
}
