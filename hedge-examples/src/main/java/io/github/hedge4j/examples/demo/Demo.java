package io.github.hedge4j.examples.demo;

import io.github.hedge4j.HedgeDelay;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
            "  mvn -q compile exec:java -pl hedge-examples -am -DskipChecks -Dexec.args=\"--calls 10000\""
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
        Load load = options.load();
        out.printf(
                Locale.ROOT,
                "Three HTTP replicas, each answering in %.0f ms (sd %.0f ms), but %.1f %% of the time in ten times that.%n"
                        + "%,d calls in each way, %d at a time.%n%n",
                law.meanMillis(),
                law.sdMillis(),
                100 * law.stragglerShare(),
                load.calls(),
                load.concurrency());
        out.flush();

        var comparison = new Comparison(strategies(), law, options.seed(), load);
        List<Run> runs;
        try (var progress = new BarProgress(comparison.steps())) {
            runs = comparison.run(progress);
        }
        out.println(Table.of(runs));
        out.println(Table.gains(runs));
        return exitCode(runs);
    }

    private List<Strategy> strategies() {
        return List.of(
                Strategy.plain(),
                Strategy.raceAll(),
                Strategy.hedged("hedged, " + millis(options.delay()), HedgeDelay.fixed(options.delay())),
                Strategy.hedged("hedged, p95", HedgeDelay.percentile(0.95)));
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
