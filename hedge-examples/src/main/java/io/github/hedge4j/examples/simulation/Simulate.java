package io.github.hedge4j.examples.simulation;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The simulation's command line. Exit code 0: done; 1: the report could not be written; 2: not understood. */
@Command(
        name = "simulate",
        sortOptions = false,
        description =
                "What would hedging give you and cost you? Simulates a backend with your numbers and calls to it by several"
                        + " policies, shows them side by side and writes a report with the curves. A word that starts with @ names a"
                        + " file with options.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "From the root of the sources:",
            "  mvn -q compile exec:java -pl hedge-examples -am -DskipChecks \\",
            "    -Dexec.mainClass=io.github.hedge4j.examples.simulation.Simulate \\",
            "    -Dexec.args=\"--p50 20 --p99 800 --load 0.7\""
        })
public final class Simulate implements Callable<Integer> {

    private static final int REFRESH_MILLIS = 250;

    @Mixin
    private final SimulateOptions options = new SimulateOptions();

    @SuppressWarnings("unused") // Read by picocli.
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this and exit.")
    private boolean help;

    private final PrintWriter out;
    private final PrintWriter err;

    private Simulate(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the simulations; ends the JVM unless all went well. */
    public static void main(String[] args) {
        var charset = Charset.defaultCharset();
        int exitCode =
                execute(new PrintWriter(System.out, true, charset), new PrintWriter(System.err, true, charset), args);
        // Not for success: under exec:java this is Maven's own JVM, which has goals of its own to end.
        if (exitCode != ExitCode.OK) {
            System.exit(exitCode);
        }
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Simulate(out, err)).setOut(out).setErr(err).execute(args);
    }

    @Override
    public Integer call() {
        Backend backend = options.backend();
        Traffic traffic = options.traffic(backend);
        List<Policy> policies = options.policies();
        List<String> description = options.description(backend, traffic);
        description.forEach(out::println);
        out.println();
        out.flush();

        List<Outcome> outcomes = compare(backend, traffic, policies);
        out.println(OutcomeTable.of(outcomes));
        out.println(OutcomeTable.gains(outcomes));
        return write(new Report(
                "What hedging would do",
                description,
                outcomes,
                !backend.troubles().isEmpty()));
    }

    private static List<Outcome> compare(Backend backend, Traffic traffic, List<Policy> policies) {
        try (ProgressBar bar = new ProgressBarBuilder()
                .setTaskName("calls")
                .setInitialMax((long) policies.size() * traffic.calls())
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(REFRESH_MILLIS)
                .build()) {
            return Runs.compare(backend, traffic, bar::stepBy, policies.toArray(Policy[]::new));
        }
    }

    private int write(Report report) {
        Path file = options.report();
        try {
            report.writeTo(file);
        } catch (IOException e) {
            err.println("The report could not be written: " + e);
            return ExitCode.SOFTWARE;
        }
        out.println();
        out.println("Report: " + file.toAbsolutePath().normalize().toUri());
        return ExitCode.OK;
    }
}
