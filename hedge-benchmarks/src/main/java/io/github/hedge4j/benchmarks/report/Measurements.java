package io.github.hedge4j.benchmarks.report;

import io.github.hedge4j.benchmarks.CallPath;
import io.github.hedge4j.benchmarks.Scenario;
import io.github.hedge4j.benchmarks.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/** What JMH has measured in this run. */
final class Measurements {

    /** @param values of the parameters, by the parameters' names in alphabetical order */
    private record Key(String benchmark, int threads, List<String> values) {

        static Key of(BenchmarkParams params) {
            List<String> names = new ArrayList<>(params.getParamsKeys());
            names.sort(null);
            return new Key(
                    params.getBenchmark(),
                    params.getThreads(),
                    names.stream().map(params::getParam).toList());
        }
    }

    private final Map<Key, Measurement> measured = new HashMap<>();

    void add(RunResult run) {
        measured.put(Key.of(run.getParams()), Measurement.of(run));
    }

    boolean has(Class<?> benchmark, String method, int threads, Object... values) {
        return measured.containsKey(key(benchmark, method, threads, values));
    }

    /** With the values of the benchmark's parameters, by the parameters' names in alphabetical order. */
    Measurement get(Class<?> benchmark, String method, int threads, Object... values) {
        Key key = key(benchmark, method, threads, values);
        return Objects.requireNonNull(measured.get(key), () -> "not measured: " + key);
    }

    private static Key key(Class<?> benchmark, String method, int threads, Object... values) {
        List<String> strings = new ArrayList<>();
        for (Object value : values) {
            strings.add(value.toString());
        }
        return new Key(benchmark.getName() + "." + method, threads, strings);
    }

    /** What a subject adds to the bare call. */
    Measurement overhead(Scenario scenario, Subject subject, int threads) {
        return call(scenario, subject, threads).minus(call(scenario, subject.raw(), threads));
    }

    Measurement call(Scenario scenario, Subject subject, int threads) {
        return get(CallPath.class, "call", threads, scenario, subject);
    }
}
