package io.github.hedge4j.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo's page, also in Chromium where there is one. Leaves the picture of docs/images/demo.png in target/. */
@Tag("realtime")
@Tag("browser")
class WebPageTest {

    private static final Pattern CURVE = Pattern.compile("<path d=\"M[^\"]{200,}\" fill=\"(?:none|transparent)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Hedge fixed = hedge("hedged, 20 ms", HedgeDelay.fixed(Duration.ofMillis(20)));
    private final Hedge percentile = hedge("hedged, p95", HedgeDelay.percentile(0.95));
    private final Rounds rounds = new Rounds(
            http,
            List.of(Strategy.plain(), Strategy.raceAll(), Strategy.hedged(fixed), Strategy.hedged(percentile)),
            new LatencyLaw(5, 2, 0.05, 10),
            1,
            3);
    private final WebPage page =
            new WebPage(0, () -> Numbers.of(rounds.soFar(), List.of(fixed, percentile)), () -> "metrics\n");

    @TempDir
    private Path directory;

    private static Hedge hedge(String name, HedgeDelay delay) {
        return Hedge.of(name, HedgeConfig.custom().delay(delay).build());
    }

    @AfterEach
    void close() {
        page.close();
        rounds.close();
    }

    @Test
    void servesThePageItsNumbersAndTheMetrics() throws IOException, InterruptedException {
        assertThat(get("").body()).contains("\"calls\":0").doesNotContain("{{", "src=\"http", "href=\"http");
        rounds.next();
        rounds.next();

        assertThat(get("numbers").body())
                .contains("\"calls\":800", "[\"plain\",", "[\"hedged, p95\",")
                .contains("\"name\":\"race all\",\"points\":[[0.99,");
        assertThat(get("metrics").body()).isEqualTo("metrics\n");
        assertThat(get("metrics").headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        assertThat(get("elsewhere").statusCode()).isEqualTo(404);
        assertThat(get("elsewhere").version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        assertThat(rounds.soFar()).hasSize(4).allMatch(Run::isClean).allMatch(run -> run.calls() == 200);
    }

    @Test
    void everyCurveIsDrawn() throws IOException, InterruptedException {
        Optional<Tool> browser = Tool.named("chromium");
        assumeThat(browser).as("chromium on the path").isPresent();
        for (int i = 0; i < 5; i++) {
            rounds.next();
        }

        String drawn = browse(browser.get(), "--dump-dom");
        browse(browser.get(), "--screenshot=" + Path.of("target/demo.png").toAbsolutePath());

        assertThat(CURVE.matcher(drawn).results()).hasSize(4);
        assertThat(drawn)
                .contains("2,000 calls so far.", "<td>race all</td>", "<td>hedged, 20 ms</td>", "latency, ms</text>");
        assertThat(Path.of("target/demo.png")).isNotEmptyFile();
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(page.url() + path)).build();
        return http.send(request, BodyHandlers.ofString());
    }

    private String browse(Tool browser, String what) throws IOException, InterruptedException {
        List<String> args = new ArrayList<>(List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--user-data-dir=" + Files.createTempDirectory(directory, "profile"),
                "--window-size=1000,1060",
                "--virtual-time-budget=3000"));
        args.add(what);
        args.add(page.url());
        return browser.run("", args.toArray(String[]::new)).output();
    }
}
