package io.github.hedge4j.examples.demo;

import static io.github.hedge4j.examples.support.Numbers.number;
import static io.github.hedge4j.examples.support.Numbers.wholeNumber;

import io.github.hedge4j.examples.support.Numbers.Share;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** What can be asked of the demo on its command line. */
final class Options {

    private static final double MEAN_MILLIS = 5;
    private static final double SD_MILLIS = 2;
    private static final double STRAGGLER_FACTOR = 10;

    @Option(
            names = "--calls",
            paramLabel = "N",
            defaultValue = "3000",
            converter = Count.class,
            description =
                    "Calls made in each way (default: ${DEFAULT-VALUE}). With --serve there are as many as there is"
                            + " time for.")
    private int calls;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            defaultValue = "3",
            converter = Count.class,
            description = "Calls in flight at a time (default: ${DEFAULT-VALUE}). Many more than the machine has cores,"
                    + " and the latencies are those of the machine.")
    private int concurrency;

    @Option(
            names = "--delay",
            paramLabel = "MS",
            defaultValue = "20",
            converter = Millis.class,
            description = "How long hedged calls wait before they ask a second replica, in milliseconds"
                    + " (default: ${DEFAULT-VALUE}).")
    private double delayMillis;

    @Option(
            names = "--stragglers",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            converter = Share.class,
            description = "Share of answers that take ten times as long, from 0 to 1 (default: ${DEFAULT-VALUE}).")
    private double stragglers;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Where the replicas' luck starts; the same number makes the same answer times"
                    + " (default: ${DEFAULT-VALUE}).")
    private long seed;

    @ArgGroup(exclusive = false)
    private @Nullable Serving serving;

    /** Only with {@code --serve}. */
    static final class Serving {

        @SuppressWarnings("unused") // That it is there is what counts.
        @Option(
                names = "--serve",
                required = true,
                description =
                        "Go on until Ctrl-C, and meanwhile serve on loopback a page with the curves and the hedges'"
                                + " numbers so far, and at /metrics the hedges' metrics for Prometheus.")
        private boolean serve;

        @Option(
                names = "--port",
                paramLabel = "N",
                defaultValue = "8080",
                converter = Port.class,
                description = "Where to serve; 0 is any free port (default: ${DEFAULT-VALUE}).")
        private int port;

        @Option(
                names = "--for",
                paramLabel = "SECONDS",
                converter = Seconds.class,
                description = "End after this time instead of at Ctrl-C.")
        private @Nullable Duration time;

        int port() {
            return port;
        }

        Optional<Duration> time() {
            return Optional.ofNullable(time);
        }
    }

    Optional<Serving> serving() {
        return Optional.ofNullable(serving);
    }

    Load load() {
        return new Load(calls, concurrency);
    }

    LatencyLaw law() {
        return new LatencyLaw(MEAN_MILLIS, SD_MILLIS, stragglers, STRAGGLER_FACTOR);
    }

    long seed() {
        return seed;
    }

    Duration delay() {
        return Duration.ofNanos(Math.round(delayMillis * 1e6));
    }

    private static final class Count implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return wholeNumber(text, 1, 1_000_000);
        }
    }

    private static final class Port implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return wholeNumber(text, 0, 65_535);
        }
    }

    private static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return Duration.ofNanos(Math.round(number(text, 0, 1_000_000) * 1e9));
        }
    }

    private static final class Millis implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return number(text, 0, 60_000);
        }
    }
}
