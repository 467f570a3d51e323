package io.github.hedge4j.benchmarks.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Measures everything and writes the report; the arguments are a {@link Scale} and the file. */
public final class Main {

    private static final String COMMAND = "mvn -q -P benchmarks compile exec:exec -pl hedge-benchmarks -am";

    private Main() {}

    public static void main(String[] args) throws Exception {
        Scale scale = Scale.valueOf(args[0].toUpperCase(Locale.ROOT));
        Path file = Path.of(args[1]).toAbsolutePath().normalize();
        String machine = Machine.describe();
        long startNanos = System.nanoTime();
        Suite suite = new Suite(scale);
        Results results = new Results(suite.measureTimes(), suite.measureLateness(), suite.measureHeap());
        String command = scale == Scale.SHORT ? COMMAND : COMMAND + " -Dscale=" + args[0];
        Files.writeString(file, new Report(results).text(machine, command));
        System.out.printf("%s, after %d s%n", file, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos));
    }
}
