package io.github.hedge4j.examples.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report in Chromium, where there is one. Leaves the picture of docs/images/metastability.svg in target/. */
@Tag("browser")
class ReportInBrowserTest {

    private static final Pattern PICTURE = Pattern.compile("<svg .*?</svg>", Pattern.DOTALL);
    private static final Pattern CURVE = Pattern.compile("<path d=\"M[^\"]{200,}\" fill=\"(?:none|transparent)\"");
    private static final long PATIENCE_SECONDS = 60;

    @TempDir
    private Path directory;

    @Test
    void everyCurveIsDrawn() throws IOException, InterruptedException {
        Optional<Path> browser = chromium();
        assumeThat(browser).as("a browser on the path").isPresent();
        List<Outcome> outcomes = BrownOut.halfLoadRun();
        Path page = directory.resolve("report.html");
        new Report("A brown-out", List.of("six seconds of it"), outcomes, true).writeTo(page);

        String drawn = render(browser.orElseThrow(), page);

        assertThat(drawn).contains("<h1>A brown-out</h1>", "<li>six seconds of it</li>", "<td>fixed, unbounded</td>");
        List<String> pictures =
                PICTURE.matcher(drawn).results().map(MatchResult::group).toList();
        assertThat(pictures).hasSize(3).allSatisfy(picture -> {
            assertThat(picture).contains("defaults");
            assertThat(CURVE.matcher(picture).results()).hasSizeGreaterThanOrEqualTo(outcomes.size() - 1);
        });
        Files.writeString(Path.of("target/metastability.svg"), onPaper(pictures.get(1)));
    }

    /** For pages that are dark. */
    private static String onPaper(String picture) {
        return picture.replaceFirst(">", "><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>") + "\n";
    }

    private static Optional<Path> chromium() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private String render(Path browser, Path page) throws IOException, InterruptedException {
        Path dom = directory.resolve("dom.html");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--window-size=1000,1600",
                        "--virtual-time-budget=10000",
                        "--dump-dom",
                        page.toUri().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(dom.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(dom);
    }
}
