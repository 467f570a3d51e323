package io.github.hedge4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void showsPoliciesSideBySideAndWritesAReportThatFetchesNothing() throws IOException {
        Path report = directory.resolve("report.html");

        int exitCode = run(
                "--calls",
                "2000",
                "--p50",
                "10",
                "--p99",
                "200",
                "--load",
                "0.5",
                "--cancels",
                "--slow",
                "1-2x3",
                "--deadline",
                "2000",
                "--good",
                "300",
                "--policy",
                "none,defaults,20msx3:15%,race:2",
                "--report",
                report.toString());

        assertThat(err.toString()).isEmpty();
        assertThat(exitCode).isZero();
        assertThat(out.toString())
                .contains("log-normal, p50 10 ms, p99 200 ms", "at 50% load", "all replicas take 3.0 times as long")
                .containsPattern("(?m)^\\| none +\\|.* 0\\.0% \\|")
                .containsPattern("(?m)^\\| race:2 +\\|.* 100\\.0% \\|")
                .containsPattern("defaults against none: p99 .* -> .* ms");
        assertThat(Files.readString(report))
                .contains("20msx3:15%", "echarts")
                .doesNotContain("{{")
                .doesNotContainPattern("(src|href)=\"http");
    }

    @Test
    void readsMeasuredLatenciesAndOptionsFromFiles() throws IOException {
        Path latencies = Files.writeString(directory.resolve("latencies.txt"), "5\n7.5\n\n200\n");
        Path scenario = Files.writeString(
                directory.resolve("scenario.txt"),
                "--latencies \"" + latencies + "\"\n--load 0\n--calls 1000\n--policy none --report \""
                        + directory.resolve("report.html") + "\"\n");

        assertThat(run("@" + scenario)).isZero();

        assertThat(out.toString())
                .contains("3 measured latencies", "Nothing ever waits")
                .containsPattern("none .* 7\\.5 .* 200 ");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "--load,      1.5,    must be from 0 to 1",
                "--calls,     0,      \"must be from 1 to 10,000,000, but was 0\"",
                "--policy,    p95x,   'p95x' is no policy",
                "--policy,    p100,   'p100' is no policy: percentile must be > 0 and < 1",
                "--slow,      soon,   must be like 30-36x3",
                "--p50,       0,      must be > 0",
                "--latencies, nosuch, cannot be read",
            })
    void aBadValueIsRefusedByName(String option, String value, String complaint) {
        assertThat(run(option, value)).isEqualTo(2);

        assertThat(err.toString())
                .contains("Invalid value for option '" + option + "'")
                .contains(complaint);
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(run("--help")).isZero();

        assertThat(out.toString())
                .contains("--p50", "--latencies", "--replicas", "--load", "--deadline", "--policy", "--report", ":5%");
    }

    private int run(String... args) {
        return Simulate.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
