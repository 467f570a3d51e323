package io.github.hedge4j.examples.simulation;

import static io.github.hedge4j.examples.support.Numbers.number;
import static io.github.hedge4j.examples.support.Numbers.wholeNumber;

import io.github.hedge4j.examples.support.Numbers.Share;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** What can be asked of {@code simulate} on its command line. */
final class SimulateOptions {

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec command;

    @Option(
            names = "--p50",
            paramLabel = "MS",
            defaultValue = "20",
            description = "Median of how long a replica works on an answer (default: ${DEFAULT-VALUE}).")
    private double p50Millis;

    @Option(
            names = "--p99",
            paramLabel = "MS",
            defaultValue = "800",
            description = "Its 99th percentile; between and beyond the law is log-normal (default: ${DEFAULT-VALUE}).")
    private double p99Millis;

    @Option(
            names = "--latencies",
            paramLabel = "FILE",
            description =
                    "Measured latencies instead, in milliseconds, one a line. Measure where little waits, or use --load 0.")
    private @Nullable Path latencies;

    @Option(
            names = "--stragglers",
            paramLabel = "SHARE",
            defaultValue = "0",
            converter = Share.class,
            description = "Share of answers that take ten times as long (default: ${DEFAULT-VALUE}).")
    private double stragglers;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "10",
            converter = Count.class,
            description = "Replicas, each a queue (default: ${DEFAULT-VALUE}).")
    private int replicas;

    @Option(
            names = "--slots",
            paramLabel = "N",
            defaultValue = "16",
            converter = Count.class,
            description = "Requests that a replica works on at a time (default: ${DEFAULT-VALUE}).")
    private int slots;

    @Option(
            names = "--load",
            paramLabel = "SHARE",
            defaultValue = "0.7",
            converter = Share.class,
            description =
                    "How busy the replicas are if nothing is hedged; 0: nothing ever waits (default: ${DEFAULT-VALUE}).")
    private double load;

    @Option(
            names = "--cancels",
            description = "The replicas drop what their client gives up. Otherwise they work on it to the end.")
    private boolean cancels;

    @Option(
            names = "--likeness",
            paramLabel = "SHARE",
            defaultValue = "0",
            converter = Share.class,
            description = "How much of its primary's latency a hedge meets again; 1: all slowness is the request's own"
                    + " (default: ${DEFAULT-VALUE}).")
    private double likeness;

    @Option(
            names = "--slow",
            paramLabel = "FROM-UNTILxFACTOR[/N]",
            converter = Slow.class,
            description = "Seconds during which all replicas, or the first N, take so many times as long: 30-36x3.")
    private List<Trouble> slow = new ArrayList<>();

    @Option(
            names = "--outage",
            paramLabel = "FROM-UNTIL/N",
            converter = Outage.class,
            description = "Seconds during which the first N replicas refuse every request: 30-60/1.")
    private List<Trouble> outages = new ArrayList<>();

    @Option(names = "--deadline", paramLabel = "MS", description = "After which a call fails (default: none).")
    private @Nullable Double deadlineMillis;

    @Option(
            names = "--good",
            paramLabel = "MS",
            description = "The latency up to which a call counts as good (default: all that succeed).")
    private @Nullable Double goodMillis;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            split = ",",
            defaultValue = "none,defaults,p90x3,race:2",
            converter = PolicyText.class,
            description = "What to compare, the first with each other one: " + PolicyText.HELP
                    + " (default: ${DEFAULT-VALUE}).")
    private List<PolicyText.Named> policies = new ArrayList<>();

    @Option(
            names = "--calls",
            paramLabel = "N",
            defaultValue = "200000",
            converter = Count.class,
            description = "Calls by each policy; a twentieth of them warms up (default: ${DEFAULT-VALUE}).")
    private int calls;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Where chance starts; the same number makes the same results (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "simulation.html",
            description = "Where the report goes, a page that needs nothing else (default: ${DEFAULT-VALUE}).")
    private Path report = Path.of("simulation.html");

    Backend backend() {
        Law law = law();
        Backend backend =
                load > 0 ? Backend.queues(law, replicas, slots) : Backend.queues(law, replicas, Integer.MAX_VALUE);
        if (cancels) {
            backend = backend.cancelling();
        }
        for (Trouble trouble : slow) {
            backend = backend.with(trouble);
        }
        for (Trouble trouble : outages) {
            backend = backend.with(trouble);
        }
        return backend.withLikeness(likeness);
    }

    private Law law() {
        Law law;
        if (latencies != null) {
            law = Law.measured(measured(latencies));
        } else {
            require(p50Millis > 0, "--p50", "> 0", p50Millis);
            require(p99Millis >= p50Millis, "--p99", ">= --p50", p99Millis);
            law = Law.logNormalThrough(p50Millis, p99Millis);
        }
        return stragglers > 0 ? law.withStragglers(stragglers, 10) : law;
    }

    private double[] measured(Path file) {
        try {
            double[] millis = Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            for (double value : millis) {
                require(value >= 0 && value < Double.POSITIVE_INFINITY, "--latencies", "finite and >= 0", value);
            }
            require(millis.length > 0, "--latencies", "at least one line", 0);
            return millis;
        } catch (IOException e) {
            throw invalid("--latencies", "cannot be read: " + e);
        } catch (NumberFormatException e) {
            throw invalid("--latencies", "a line is not a number: " + e.getMessage());
        }
    }

    Traffic traffic(Backend backend) {
        Traffic traffic = load > 0 ? Traffic.load(load, backend, calls) : Traffic.perSecond(1_000, calls);
        return traffic.withWarmUp(calls / 20)
                .withGood(goodMillis == null ? Double.POSITIVE_INFINITY : goodMillis)
                .withSeed(seed);
    }

    List<Policy> policies() {
        return policies.stream().map(this::policy).toList();
    }

    private Policy policy(PolicyText.Named named) {
        if (deadlineMillis == null) {
            return Policy.of(named.name(), named.config());
        }
        try {
            return Policy.of(named.name(), Policies.within(named.config(), deadlineMillis));
        } catch (IllegalArgumentException e) {
            throw invalid("--deadline", e.getMessage());
        }
    }

    /** The scenario in words, a line for each part. */
    List<String> description(Backend backend, Traffic traffic) {
        List<String> lines = new ArrayList<>();
        lines.add("Work on an answer: " + backend.law().name());
        lines.add(
                load > 0
                        ? String.format(
                                Locale.ROOT,
                                "%d replicas of %d slots at %.0f%% load: %.1f calls a second",
                                replicas,
                                slots,
                                100 * load,
                                traffic.perSecond())
                        : "Nothing ever waits");
        lines.add(cancels ? "Replicas drop what is given up" : "Replicas work on to the end on what is given up");
        if (likeness > 0) {
            lines.add(
                    String.format(Locale.ROOT, "A hedge meets %.0f%% of its primary's latency again", 100 * likeness));
        }
        backend.troubles().forEach(trouble -> lines.add(trouble.describe()));
        if (deadlineMillis != null) {
            lines.add(String.format(Locale.ROOT, "Deadline %s ms", deadlineMillis));
        }
        if (goodMillis != null) {
            lines.add(String.format(Locale.ROOT, "Good: within %s ms", goodMillis));
        }
        lines.add(String.format(Locale.ROOT, "%,d calls by each policy, seed %d", traffic.calls(), seed));
        return lines;
    }

    Path report() {
        return report;
    }

    private void require(boolean holds, String option, String requirement, double value) {
        if (!holds) {
            throw invalid(option, "must be " + requirement + ", but was " + value);
        }
    }

    private ParameterException invalid(String option, @Nullable String complaint) {
        return new ParameterException(command.commandLine(), "Invalid value for option '" + option + "': " + complaint);
    }

    private static final class Count implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return wholeNumber(text, 1, 10_000_000);
        }
    }

    private static final class Slow implements ITypeConverter<Trouble> {
        private static final Pattern SLOW = Pattern.compile("([\\d.]+)-([\\d.]+)x([\\d.]+)(?:/(\\d+))?");

        @Override
        public Trouble convert(String text) {
            Matcher parts = matched(SLOW, text, "30-36x3 or 30-36x3/1");
            String first = parts.group(4);
            return Trouble.slow(
                    number(parts.group(1), 0, 1e9),
                    number(parts.group(2), 0, 1e9),
                    first == null ? Integer.MAX_VALUE : Integer.parseInt(first),
                    number(parts.group(3), 0, 1e6));
        }
    }

    private static final class Outage implements ITypeConverter<Trouble> {
        private static final Pattern OUTAGE = Pattern.compile("([\\d.]+)-([\\d.]+)/(\\d+)");

        @Override
        public Trouble convert(String text) {
            Matcher parts = matched(OUTAGE, text, "30-60/1");
            return Trouble.outage(
                    number(parts.group(1), 0, 1e9), number(parts.group(2), 0, 1e9), Integer.parseInt(parts.group(3)));
        }
    }

    private static Matcher matched(Pattern pattern, String text, String example) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("must be like " + example + ", but was " + text);
        }
        return matcher;
    }
}
