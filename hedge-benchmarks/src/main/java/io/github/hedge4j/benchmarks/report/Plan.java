package io.github.hedge4j.benchmarks.report;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** A benchmark, the parameters it is run with, one after the other, and by how many threads. */
record Plan(Class<?> benchmark, String method, int threads, boolean decidesGoals, Map<String, List<?>> parameters) {

    /** A heap that is there from the start and never grows, or allocation would be measured as page faults. */
    private static final String[] JVM = {"-Xms1g", "-Xmx1g", "-Xmn500m", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC"};

    static Plan of(Class<?> benchmark, String method) {
        return new Plan(benchmark, method, 1, false, Map.of());
    }

    Plan threads(int number) {
        return new Plan(benchmark, method, number, decidesGoals, parameters);
    }

    /** More forks, if there is time for them. */
    Plan deciding() {
        return new Plan(benchmark, method, threads, true, parameters);
    }

    Plan with(String parameter, Object value) {
        return with(parameter, List.of(value));
    }

    Plan with(String parameter, List<?> values) {
        Map<String, List<?>> more = new LinkedHashMap<>(parameters);
        more.put(parameter, values);
        return new Plan(benchmark, method, threads, decidesGoals, more);
    }

    Collection<RunResult> run(Scale scale) throws RunnerException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\." + method + "$")
                .threads(threads)
                .jvmArgs(JVM)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        parameters.forEach((name, values) ->
                options.param(name, values.stream().map(Object::toString).toArray(String[]::new)));
        return new Runner(scale.apply(options, decidesGoals).build()).run();
    }

    @Override
    public String toString() {
        return benchmark.getSimpleName() + "." + method + ", " + threads + (threads == 1 ? " thread, " : " threads, ")
                + parameters.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }
}
