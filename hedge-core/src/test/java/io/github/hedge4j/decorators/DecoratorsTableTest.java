package io.github.hedge4j.decorators;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.decorators.ChainRun.End;
import io.github.hedge4j.decorators.ChainRun.Part;
import io.github.hedge4j.decorators.ChainRun.Place;
import io.github.hedge4j.decorators.ChainRun.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Rules R1 and R2, decorator by decorator: what becomes of sources, permits, counts, tries and timers, however a call ends. The table in
 * {@code docs/composition.md} is written from the same runs by {@code mvn test -pl hedge-core -Dtest=DecoratorsTableTest -Ddocs.rewrite}.
 */
class DecoratorsTableTest {

    private static final Path PAGE = Path.of("../docs/composition.md");
    private static final String BEGIN = "<!-- table: cancellation -->\n";
    private static final String END = "<!-- end of table -->\n";

    @ParameterizedTest(name = "{0} {1} the hedge, {2}")
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            decorator       | place   | end      | result                     | calls | cancelled | running | timers | noted
            BULKHEAD        | INSIDE  | WINS     | primary                    |     1 |         0 |       0 |      0 | 0 permits held
            BULKHEAD        | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 permits held
            BULKHEAD        | INSIDE  | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | 0 permits held
            BULKHEAD        | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 permits held
            BULKHEAD        | INSIDE  | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 0 permits held
            BULKHEAD        | OUTSIDE | WINS     | primary                    |     1 |         0 |       0 |      0 | 0 permits held
            BULKHEAD        | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 permits held
            BULKHEAD        | OUTSIDE | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | 0 permits held
            BULKHEAD        | OUTSIDE | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 permits held
            BULKHEAD        | OUTSIDE | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 0 permits held
            CIRCUIT_BREAKER | INSIDE  | WINS     | primary                    |     1 |         0 |       0 |      0 | 1 ok, 0 failed
            CIRCUIT_BREAKER | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 1 ok, 0 failed
            CIRCUIT_BREAKER | INSIDE  | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | 0 ok, 2 failed
            CIRCUIT_BREAKER | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 ok, 0 failed
            CIRCUIT_BREAKER | INSIDE  | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 0 ok, 0 failed
            CIRCUIT_BREAKER | OUTSIDE | WINS     | primary                    |     1 |         0 |       0 |      0 | 1 ok, 0 failed
            CIRCUIT_BREAKER | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 1 ok, 0 failed
            CIRCUIT_BREAKER | OUTSIDE | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | 0 ok, 1 failed
            CIRCUIT_BREAKER | OUTSIDE | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 ok, 0 failed
            CIRCUIT_BREAKER | OUTSIDE | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 0 ok, 1 failed
            RATE_LIMITER    | INSIDE  | WINS     | primary                    |     1 |         0 |       0 |      0 | 1 permits spent
            RATE_LIMITER    | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 2 permits spent
            RATE_LIMITER    | INSIDE  | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | 2 permits spent
            RATE_LIMITER    | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 2 permits spent
            RATE_LIMITER    | INSIDE  | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 2 permits spent
            RATE_LIMITER    | OUTSIDE | WINS     | primary                    |     1 |         0 |       0 |      0 | 1 permits spent
            RATE_LIMITER    | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 1 permits spent
            RATE_LIMITER    | OUTSIDE | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | 1 permits spent
            RATE_LIMITER    | OUTSIDE | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 1 permits spent
            RATE_LIMITER    | OUTSIDE | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 1 permits spent
            RETRY           | INSIDE  | WINS     | primary                    |     1 |         0 |       0 |      0 | 1 tries
            RETRY           | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 2 tries
            RETRY           | INSIDE  | FAILS    | AllAttemptsFailedException |     6 |         0 |       0 |      0 | 6 tries
            RETRY           | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 2 tries
            RETRY           | INSIDE  | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 2 tries
            RETRY           | OUTSIDE | WINS     | primary                    |     1 |         0 |       0 |      0 | 1 tries
            RETRY           | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 2 tries
            RETRY           | OUTSIDE | FAILS    | AllAttemptsFailedException |     6 |         0 |       0 |      0 | 6 tries
            RETRY           | OUTSIDE | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 2 tries
            RETRY           | OUTSIDE | DEADLINE | HedgeTimeoutException      |     6 |         6 |       0 |      0 | 6 tries
            TIME_LIMITER    | INSIDE  | WINS     | primary                    |     1 |         0 |       0 |      0 | success
            TIME_LIMITER    | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | success
            TIME_LIMITER    | INSIDE  | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | error, error
            TIME_LIMITER    | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | nothing
            TIME_LIMITER    | INSIDE  | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | nothing
            TIME_LIMITER    | OUTSIDE | WINS     | primary                    |     1 |         0 |       0 |      0 | success
            TIME_LIMITER    | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | success
            TIME_LIMITER    | OUTSIDE | FAILS    | AllAttemptsFailedException |     2 |         0 |       0 |      0 | error
            TIME_LIMITER    | OUTSIDE | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | nothing
            TIME_LIMITER    | OUTSIDE | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | timeout
            FALLBACK        | INSIDE  | WINS     | primary                    |     1 |         0 |       0 |      0 | 0 replaced
            FALLBACK        | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 replaced
            FALLBACK        | INSIDE  | FAILS    | replaced                   |     1 |         0 |       0 |      0 | 1 replaced
            FALLBACK        | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 replaced
            FALLBACK        | INSIDE  | DEADLINE | HedgeTimeoutException      |     2 |         2 |       0 |      0 | 0 replaced
            FALLBACK        | OUTSIDE | WINS     | primary                    |     1 |         0 |       0 |      0 | 0 replaced
            FALLBACK        | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 replaced
            FALLBACK        | OUTSIDE | FAILS    | replaced                   |     2 |         0 |       0 |      0 | 1 replaced
            FALLBACK        | OUTSIDE | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 replaced
            FALLBACK        | OUTSIDE | DEADLINE | replaced                   |     2 |         2 |       0 |      0 | 1 replaced
            """)
    void inAChain(
            Part part,
            Place place,
            End end,
            String result,
            int calls,
            int cancelled,
            int running,
            int timers,
            String noted) {
        check(new ChainRun(part, Style.CHAIN).run(place, end), result, calls, cancelled, running, timers, noted);
    }

    /** What plain nesting comes to where that differs; also the recipe that makes it right. */
    @ParameterizedTest(name = "{0}: {1} {2} the hedge, {3}")
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            style       | decorator       | place   | end      | result                     | calls | cancelled | running | timers | noted
            NESTED      | BULKHEAD        | INSIDE  | LOSES    | hedge                      |     2 |         0 |       1 |      0 | 1 permits held
            NESTED      | BULKHEAD        | INSIDE  | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 2 permits held
            NESTED      | BULKHEAD        | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 permits held
            NESTED      | BULKHEAD        | OUTSIDE | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 1 permits held
            NESTED      | CIRCUIT_BREAKER | INSIDE  | LOSES    | hedge                      |     2 |         0 |       1 |      0 | 1 ok, 0 failed
            NESTED      | CIRCUIT_BREAKER | INSIDE  | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 0 ok, 0 failed
            NESTED      | CIRCUIT_BREAKER | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 1 ok, 0 failed
            NESTED      | CIRCUIT_BREAKER | OUTSIDE | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 0 ok, 0 failed
            NESTED      | RATE_LIMITER    | INSIDE  | LOSES    | hedge                      |     2 |         0 |       1 |      0 | 2 permits spent
            NESTED      | RATE_LIMITER    | INSIDE  | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 2 permits spent
            NESTED      | RATE_LIMITER    | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 1 permits spent
            NESTED      | RATE_LIMITER    | OUTSIDE | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 1 permits spent
            NESTED      | RETRY           | INSIDE  | LOSES    | hedge                      |     2 |         0 |       1 |      0 | 2 tries
            NESTED      | RETRY           | INSIDE  | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 2 tries
            NESTED      | RETRY           | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 2 tries
            NESTED      | RETRY           | OUTSIDE | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 2 tries
            NESTED      | TIME_LIMITER    | INSIDE  | LOSES    | hedge                      |     2 |         0 |       1 |      1 | success
            NESTED      | TIME_LIMITER    | INSIDE  | CANCEL   | CancellationException      |     2 |         0 |       2 |      2 | nothing
            NESTED      | TIME_LIMITER    | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | success
            NESTED      | TIME_LIMITER    | OUTSIDE | CANCEL   | CancellationException      |     2 |         0 |       2 |      1 | nothing
            NESTED      | FALLBACK        | INSIDE  | LOSES    | hedge                      |     2 |         0 |       1 |      0 | 0 replaced
            NESTED      | FALLBACK        | INSIDE  | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 0 replaced
            NESTED      | FALLBACK        | OUTSIDE | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 replaced
            NESTED      | FALLBACK        | OUTSIDE | CANCEL   | CancellationException      |     2 |         0 |       2 |      0 | 0 replaced
            CANCELLABLE | BULKHEAD        | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 permits held
            CANCELLABLE | BULKHEAD        | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 permits held
            CANCELLABLE | CIRCUIT_BREAKER | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 1 ok, 1 failed
            CANCELLABLE | CIRCUIT_BREAKER | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 ok, 2 failed
            CANCELLABLE | RATE_LIMITER    | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 2 permits spent
            CANCELLABLE | RATE_LIMITER    | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 2 permits spent
            CANCELLABLE | RETRY           | INSIDE  | LOSES    | hedge                      |     3 |         1 |       0 |      1 | 3 tries
            CANCELLABLE | RETRY           | INSIDE  | CANCEL   | CancellationException      |     4 |         2 |       0 |      2 | 4 tries
            CANCELLABLE | TIME_LIMITER    | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      1 | success
            CANCELLABLE | TIME_LIMITER    | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      2 | nothing
            CANCELLABLE | FALLBACK        | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 0 replaced
            CANCELLABLE | FALLBACK        | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 replaced
            RECIPE      | CIRCUIT_BREAKER | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 1 ok, 0 failed
            RECIPE      | CIRCUIT_BREAKER | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 0 ok, 0 failed
            RECIPE      | RETRY           | INSIDE  | LOSES    | hedge                      |     2 |         1 |       0 |      0 | 2 tries
            RECIPE      | RETRY           | INSIDE  | CANCEL   | CancellationException      |     2 |         2 |       0 |      0 | 2 tries
            """)
    void nested(
            Style style,
            Part part,
            Place place,
            End end,
            String result,
            int calls,
            int cancelled,
            int running,
            int timers,
            String noted) {
        check(new ChainRun(part, style).run(place, end), result, calls, cancelled, running, timers, noted);
    }

    private static void check(
            ChainRun run, String result, int calls, int cancelled, int running, int timers, String noted) {
        assertThat(run.result()).isEqualTo(result);
        assertThat(run.calls()).as("calls of the source").isEqualTo(calls);
        assertThat(run.cancelledAtEnd()).as("sources cancelled").isEqualTo(cancelled);
        assertThat(run.runningAtEnd()).as("sources running on").isEqualTo(running);
        assertThat(run.timersAtEnd()).as("timers left").isEqualTo(timers);
        assertThat(run.noted()).isEqualTo(noted);
    }

    @Test
    void theTableInTheDocsIsWhatWasObserved() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END, begin);
        assertThat(begin).as(BEGIN).isGreaterThan(BEGIN.length());
        if (System.getProperty("docs.rewrite") != null) {
            Files.writeString(PAGE, page.substring(0, begin) + observed() + page.substring(end));
        } else {
            assertThat(page.substring(begin, end)).isEqualTo(observed());
        }
    }

    private static String observed() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "| decorator | put together by | loser inside the hedge | then | caller cancels, decorator outside | then |");
        lines.add("|---|---|---|---|---|---|");
        for (Part part : Part.values()) {
            for (Style style : Style.values()) {
                if (style != Style.RECIPE || part == Part.CIRCUIT_BREAKER || part == Part.RETRY) {
                    lines.add("| " + part.title + " | " + style.title + " | " + row(part, style) + " |");
                }
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String row(Part part, Style style) {
        ChainRun inside = new ChainRun(part, style).run(Place.INSIDE, End.LOSES);
        ChainRun outside = new ChainRun(part, style).run(Place.OUTSIDE, End.CANCEL);
        return sources(inside) + " | " + left(inside) + " | " + sources(outside) + " | " + left(outside);
    }

    private static String sources(ChainRun run) {
        return run.runningAtEnd() == 0 ? "cancelled" : "**runs on**";
    }

    private static String left(ChainRun run) {
        List<String> left = new ArrayList<>();
        left.add(run.noted());
        if (run.timersAtEnd() > 0) {
            left.add("**" + run.timersAtEnd() + " timer left**");
        }
        return String.join(", ", left);
    }
}
