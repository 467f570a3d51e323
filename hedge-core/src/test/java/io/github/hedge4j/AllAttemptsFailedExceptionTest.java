package io.github.hedge4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class AllAttemptsFailedExceptionTest {

    private final IOException first = new IOException("first");
    private final IllegalStateException second = new IllegalStateException("second");
    private final Error third = new Error("third");

    @Test
    void theCauseIsTheLastFailureAndTheOthersAreSuppressedInAttemptOrder() {
        var exception = failed(List.of(first, second, third), second);

        assertThat(exception).isInstanceOf(CompletionException.class).cause().isSameAs(second);
        assertThat(exception.getFailures())
                .containsExactly(first, second, third)
                .isUnmodifiable();
        assertThat(exception.getSuppressed()).containsExactly(first, third);
    }

    @Test
    void theMessageTellsHowManyAttemptsOfWhichHedgeFailedAndTheLastFailure() {
        var exception = failed(List.of(first, second), second);

        assertThat(exception)
                .hasMessage("Hedge 'backend' failed on all 2 attempts, at last with"
                        + " java.lang.IllegalStateException: second");
        assertThat(exception.getHedgeName()).isEqualTo("backend");
    }

    @Test
    void theFailuresThemselvesAreLeftAlone() {
        failed(List.of(first, second, third), third);

        assertThat(List.of(first, second, third))
                .allSatisfy(failure -> assertThat(failure).hasNoCause().hasNoSuppressedExceptions());
    }

    @Test
    void aFailureThatSeveralAttemptsShareIsSuppressedOnce() {
        var exception = failed(List.of(first, first, second), second);

        assertThat(exception.getFailures()).containsExactly(first, first, second);
        assertThat(exception.getSuppressed()).containsExactly(first);
    }

    @Test
    void aFailureThatAllAttemptsShareIsTheCauseAlone() {
        var exception = failed(List.of(first, first), first);

        assertThat(exception).cause().isSameAs(first);
        assertThat(exception).hasNoSuppressedExceptions();
    }

    @Test
    void failuresAreToldApartByIdentity() {
        class Same extends RuntimeException {
            private static final long serialVersionUID = 1L;

            @Override
            public boolean equals(Object other) {
                return other instanceof Same;
            }

            @Override
            public int hashCode() {
                return 1;
            }
        }
        var one = new Same();
        var other = new Same();

        assertThat(failed(List.of(one, other), other).getSuppressed())
                .hasSize(1)
                .allMatch(each -> each == one);
    }

    @Test
    void theStackTraceStartsWhereTheCallFailed() {
        assertThat(failed(List.of(first, second), second).getStackTrace()[0].getMethodName())
                .isEqualTo("failed");
    }

    @Test
    void withoutWritableStackTraceItHasNone() {
        var exception = new AllAttemptsFailedException("backend", List.of(first, second), second, false);

        assertThat(exception.getStackTrace()).isEmpty();
        assertThat(exception).cause().isSameAs(second);
        assertThat(exception.getSuppressed()).containsExactly(first);
    }

    @Test
    void itCanBeSerialized() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new ObjectOutputStream(bytes)) {
            out.writeObject(failed(List.of(first, second), second));
        }

        try (var in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            var copy = (AllAttemptsFailedException) in.readObject();
            assertThat(copy.getFailures()).extracting(Throwable::getMessage).containsExactly("first", "second");
        }
    }

    private static AllAttemptsFailedException failed(List<Throwable> failures, Throwable last) {
        return new AllAttemptsFailedException("backend", failures, last, true);
    }
}
