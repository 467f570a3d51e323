package io.github.hedge4j.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void showsTheWaysSideBySide() {
        int exitCode = run("--calls", "60", "--concurrency", "2", "--delay", "12.5", "--stragglers", "0.1");

        assertThat(exitCode).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains("10.0 % of the time", "60 calls in each way, 2 at a time")
                .contains("p50 ms", "p95 ms", "p99 ms", "p99.9 ms")
                .containsPattern("(?m)^\\| plain .* 1\\.00 \\| +0 \\| +0 0 0 \\|$")
                .containsPattern("(?m)^\\| race all .* 0 0 0 \\|$")
                .containsPattern("(?m)^\\| hedged, 12\\.5 ms .* 0 0 0 \\|$")
                .containsPattern("hedged, 12\\.5 ms against plain: p99 [+-]\\d+ %, backend calls \\+\\d+ %");
    }

    @Test
    void servesForATimeAndShowsWhatCameOfIt() {
        int exitCode = run("--serve", "--port", "0", "--for", "0", "--calls", "60");

        assertThat(exitCode).isZero();
        assertThat(out.toString())
                .containsPattern("curves are at http://127\\.0\\.0\\.1:\\d+/, the metrics at \\S+/metrics, for 0 s")
                .containsPattern("(?m)^\\| hedged, p95 .* 0 0 0 \\|$");
    }

    @Test
    void aPortThatIsTakenIsRefused() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());

            assertThat(run("--serve", "--port", port)).isEqualTo(2);

            assertThat(err.toString()).startsWith("Cannot listen on port " + port);
        }
    }

    @Test
    void aTimeToServeNeedsServing() {
        assertThat(run("--for", "3")).isEqualTo(2);

        assertThat(err.toString()).contains("--serve");
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString())
                .contains("--calls", "--concurrency", "--delay", "--stragglers", "--seed", "(default: 0.05)")
                .contains("--serve", "--port", "--for", "Ctrl-C", "(default: 8080)");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "--calls,       many, 'many' is not a number",
                "--calls,       1.5,  \"must be a whole number, but was 1.5\"",
                "--calls,       0,    \"must be from 1 to 1,000,000, but was 0\"",
                "--concurrency, -1,   \"must be from 1 to 1,000,000, but was -1\"",
                "--delay,       -3,   \"must be from 0 to 60,000, but was -3\"",
                "--stragglers,  1.01, \"must be from 0 to 1, but was 1.01\"",
                "--stragglers,  NaN,  \"must be from 0 to 1, but was NaN\"",
            })
    void aBadValueIsRefusedByName(String option, String value, String complaint) {
        assertThat(run(option, value)).isEqualTo(2);

        assertThat(err.toString()).startsWith("Invalid value for option '" + option + "': " + complaint);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertThat(run("--caals", "7")).isEqualTo(2);

        assertThat(err.toString()).startsWith("Unknown option").contains("--caals", "--calls");
    }

    private int run(String... args) {
        return Demo.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
