package io.github.hedge4j.examples.demo;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.HedgeRegistry;
import io.github.hedge4j.micrometer.TaggedHedgeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.PrintWriter;
import java.net.http.HttpClient;
import java.nio.charset.Charset;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The demo's command line. Exit code 0: done; 1: a call failed or left a request behind; 2: not understood. */
@Command(
        name = "demo",
        sortOptions = false,
        description =
                "Asks three HTTP replicas on loopback, which are slow now and then, in several ways and shows side by"
                        + " side how long the callers waited and what that cost the replicas.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "From the root of the sources:",
            "  mvn -q compile exec:java -pl hedge-examples -am -DskipChecks \\",
            "    -Dexec.args=\"--calls 10000\"",
            "  mvn -q compile exec:java -pl hedge-examples -am -DskipChecks \\",
            "    -Dexec.args=\"--serve\""
        })
public final class Demo implements Callable<Integer> {

    @Mixin
    private final Options options = new Options();

    @SuppressWarnings("unused") // Read by picocli.
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this and exit.")
    private boolean help;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final HedgeRegistry hedges = HedgeRegistry.ofDefaults();
    private final PrintWriter out;
    private final PrintWriter err;

    private Demo(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the demo; ends the JVM unless all went well. */
    public static void main(String[] args) {
        var charset = Charset.defaultCharset();
        var out = new PrintWriter(System.out, true, charset);
        var err = new PrintWriter(System.err, true, charset);
        int exitCode = execute(out, err, args);
        // Not for success: under exec:java this is Maven's own JVM, which has goals of its own to end.
        if (exitCode != ExitCode.OK) {
            System.exit(exitCode);
        }
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Demo(out, err)).setOut(out).setErr(err).execute(args);
    }

    @Override
    public Integer call() throws InterruptedException {
        LatencyLaw law = options.law();
        out.printf(
                Locale.ROOT,
                "Three HTTP replicas, each answering in %.0f ms (sd %.0f ms), but %.1f %% of the time in ten times that.%n",
                law.meanMillis(),
                law.sdMillis(),
                100 * law.stragglerShare());
        Optional<Options.Serving> serving = options.serving();
        List<Run> runs = serving.isPresent() ? serve(serving.get()) : compare();
        out.println(Table.of(runs));
        out.println(Table.gains(runs));
        return exitCode(runs);
    }

    private List<Run> compare() throws InterruptedException {
        out.printf(
                Locale.ROOT,
                "%,d calls in each way, %d at a time.%n%n",
                options.load().calls(),
                options.load().concurrency());
        out.flush();
        Comparison comparison = comparison();
        try (var progress = new BarProgress(comparison.steps())) {
            return comparison.run(progress);
        }
    }

    private List<Run> serve(Options.Serving serving) throws InterruptedException {
        var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        TaggedHedgeMetrics.ofHedgeRegistry(hedges).withCallDurationHistogram().bindTo(prometheus);
        var http = HttpClient.newHttpClient();
        Comparison comparison = comparison();
        int concurrency = options.load().concurrency();
        try (var rounds = new Rounds(http, comparison.strategies(), options.law(), options.seed(), concurrency);
                var page = listen(serving.port(), rounds, prometheus)) {
            announce(page, serving);
            long startNanos = System.nanoTime();
            comparison.warmUp(http, Comparison.Progress.NONE);
            do {
                rounds.next();
            } while (serving.time().isEmpty()
                    || System.nanoTime() - startNanos < serving.time().get().toNanos());
            return rounds.soFar();
        }
    }

    private WebPage listen(int port, Rounds rounds, PrometheusMeterRegistry prometheus) {
        try {
            return new WebPage(port, () -> Numbers.of(rounds.soFar(), hedgesInOrder()), prometheus::scrape);
        } catch (CompletionException e) {
            throw new ParameterException(spec.commandLine(), "Cannot listen on port " + port + ": " + e.getCause(), e);
        }
    }

    private List<Hedge> hedgesInOrder() {
        return hedges.getAllHedges().stream()
                .sorted(Comparator.comparing(Hedge::getName))
                .toList();
    }

    private void announce(WebPage page, Options.Serving serving) {
        String end =
                serving.time().map(time -> "for " + time.toSeconds() + " s").orElse("until Ctrl-C");
        out.printf("The curves are at %s, the metrics at %smetrics, %s.%n%n", page.url(), page.url(), end);
        out.flush();
    }

    private Comparison comparison() {
        return new Comparison(strategies(), options.law(), options.seed(), options.load());
    }

    private List<Strategy> strategies() {
        return List.of(
                Strategy.plain(),
                Strategy.raceAll(),
                hedged("hedged, " + millis(options.delay()), HedgeDelay.fixed(options.delay())),
                hedged("hedged, p95", HedgeDelay.percentile(0.95)));
    }

    private Strategy hedged(String name, HedgeDelay delay) {
        return Strategy.hedged(
                hedges.hedge(name, HedgeConfig.custom().delay(delay).build()));
    }

    private static String millis(Duration duration) {
        double millis = duration.toNanos() / 1e6;
        return new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(millis) + " ms";
    }

    private int exitCode(List<Run> runs) {
        List<Run> unclean = runs.stream().filter(run -> !run.isClean()).toList();
        for (Run run : unclean) {
            err.printf(
                    "%s: %d calls failed, requests still in flight: %s%n",
                    run.strategy(), run.failures(), run.inFlight());
        }
        return unclean.isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
