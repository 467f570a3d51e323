package io.github.hedge4j.future;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Named.named;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WorkFutureTest {

    private static final class Work extends WorkFuture<String> {

        private int ends;

        @Override
        protected boolean endFromOutside(Runnable completion) {
            if (ends > 0) {
                return false;
            }
            ends++;
            assertThat(isDone()).isFalse();
            completion.run();
            return true;
        }

        void succeed() {
            ends++;
            completeFromInside("work");
        }

        void fail(Throwable failure) {
            ends++;
            failFromInside(failure);
        }
    }

    private static final class Several extends CompletionException {
        private static final long serialVersionUID = 1L;

        Several(Throwable last) {
            super("several", last);
        }
    }

    private static final class Stopped extends CancellationException {
        private static final long serialVersionUID = 1L;
    }

    private final Work work = new Work();

    static Stream<Named<Consumer<CompletableFuture<String>>>> endings() {
        return Stream.of(
                named("complete", future -> future.complete("outside")),
                named("completeExceptionally", future -> future.completeExceptionally(new IOException("outside"))),
                named("cancel", future -> future.cancel(false)),
                named("completeAsync", future -> future.completeAsync(() -> "outside", Runnable::run)),
                named(
                        "completeAsync, throwing",
                        future -> future.completeAsync(
                                () -> {
                                    throw new IllegalStateException("outside");
                                },
                                Runnable::run)),
                named(
                        "orTimeout",
                        future -> future.orTimeout(0, SECONDS)
                                .exceptionally(timeout -> "")
                                .join()),
                named(
                        "completeOnTimeout",
                        future ->
                                future.completeOnTimeout("outside", 0, SECONDS).join()));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void endingItFromOutsideEndsTheWorkBeforeTheFuture(Consumer<CompletableFuture<String>> ending) {
        ending.accept(work);

        assertThat(work.ends).isEqualTo(1);
        assertThat(work).isDone();
    }

    @ParameterizedTest
    @MethodSource("endings")
    void workThatHasEndedIsNotEndedFromOutside(Consumer<CompletableFuture<String>> ending) {
        work.succeed();

        ending.accept(work);

        assertThat(work.ends).isEqualTo(1);
        assertThat(work).isCompletedWithValue("work");
    }

    @Test
    void anObtrudedResultEndsTheWorkAndReplacesWhatItCameTo() {
        work.obtrudeValue("outside");
        work.obtrudeValue("again");

        assertThat(work.ends).isEqualTo(1);
        assertThat(work).isCompletedWithValue("again");
    }

    @Test
    void anObtrudedFailureEndsTheWorkToo() {
        work.obtrudeException(new IOException("outside"));

        assertThat(work.ends).isEqualTo(1);
        assertThat(work).isCompletedExceptionally();
    }

    @Test
    void anExceptionThatTheJdkUnwrapsIsSuppressedInWhatGetThrows() {
        var several = new Several(new IOException("last"));
        work.fail(several);

        assertThatThrownBy(work::get)
                .isInstanceOf(ExecutionException.class)
                .hasCause(several.getCause())
                .hasSuppressedException(several);
        assertThatThrownBy(() -> work.get(1, SECONDS))
                .hasCause(several.getCause())
                .hasSuppressedException(several);
        assertThatThrownBy(work::join).isSameAs(several).hasNoSuppressedExceptions();
    }

    @Test
    void aMereWrapperIsNot() {
        var last = new IOException("last");
        work.fail(new CompletionException(last));

        assertThatThrownBy(work::get).hasCause(last).hasNoSuppressedExceptions();
    }

    @Test
    void aCancellationWithAMeaningIsThrownAsItIs() {
        var stopped = new Stopped();
        work.fail(stopped);

        assertThatThrownBy(work::get).isSameAs(stopped);
        assertThatThrownBy(() -> work.get(1, SECONDS)).isSameAs(stopped);
        assertThatThrownBy(work::join).isSameAs(stopped);
        assertThatThrownBy(() -> work.getNow("none")).isSameAs(stopped);
    }
}
