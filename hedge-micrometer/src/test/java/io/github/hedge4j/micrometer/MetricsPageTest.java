package io.github.hedge4j.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.hedge4j.Hedge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of docs/metrics.md are the meters that are registered: name, type, unit, tags and their values, name in Prometheus. */
class MetricsPageTest {

    private static final Path PAGE = Path.of("../docs/metrics.md");

    private record Row(String name, String type, String unit, List<String> tags) {}

    @Test
    void theTableOfMetersIsWhatIsRegistered() throws IOException {
        Map<String, Row> registered = new TreeMap<>();
        for (Meter meter : meters(new SimpleMeterRegistry()).getMeters()) {
            Row row = row(meter);
            assertThat(registered.put(row.name(), row)).isIn(null, row);
        }

        assertThat(page()).isEqualTo(registered);
    }

    @Test
    void theValuesOfTagsAreThoseThatAreRegistered() throws IOException {
        Map<String, TreeSet<String>> registered = meters(new SimpleMeterRegistry()).getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .filter(tag -> !tag.getKey().equals("name") && !tag.getKey().equals("target"))
                .collect(Collectors.groupingBy(
                        Tag::getKey,
                        TreeMap::new,
                        Collectors.mapping(Tag::getValue, Collectors.toCollection(TreeSet::new))));
        Map<String, TreeSet<String>> described = lines("| tag |", cells -> cells).stream()
                .filter(cells -> registered.containsKey(code(cells.get(0))))
                .collect(Collectors.toMap(
                        cells -> code(cells.get(0)),
                        cells -> Arrays.stream(cells.get(1).split(", "))
                                .map(MetricsPageTest::code)
                                .collect(Collectors.toCollection(TreeSet::new))));

        assertThat(described).isEqualTo(registered);
    }

    @Test
    void theNamesInPrometheusAreThoseThatAreScraped() throws IOException {
        var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        meters(prometheus);

        assertThat(prometheus
                        .scrape()
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.substring(0, line.indexOf('{')))
                        .filter(name -> !name.endsWith("_count"))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(lines("| meter |", cells -> code(cells.get(4))));
    }

    private static MeterRegistry meters(MeterRegistry registry) {
        TaggedHedgeMetrics.ofHedge(Hedge.ofDefaults("search")).bindTo(registry);
        return registry;
    }

    private static Row row(Meter meter) {
        Meter.Id id = meter.getId();
        List<String> tags = id.getTags().stream()
                .map(Tag::getKey)
                .filter(key -> !key.equals("name"))
                .sorted()
                .toList();
        return new Row(id.getName(), type(id.getType()), String.valueOf(id.getBaseUnit()), tags);
    }

    private static String type(Meter.Type type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private static Map<String, Row> page() throws IOException {
        return lines(
                        "| meter |",
                        cells -> new Row(
                                code(cells.get(0)),
                                cells.get(1),
                                cells.get(2),
                                cells.get(3).isEmpty()
                                        ? List.of()
                                        : Arrays.stream(cells.get(3).split(", "))
                                                .map(MetricsPageTest::code)
                                                .sorted()
                                                .toList()))
                .stream()
                .collect(Collectors.toMap(Row::name, Function.identity(), (a, b) -> a, TreeMap::new));
    }

    /** The lines of the table with this head, by their cells. */
    private static <R> List<R> lines(String head, Function<List<String>, R> reader) throws IOException {
        return Files.readAllLines(PAGE).stream()
                .dropWhile(line -> !line.startsWith(head))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .map(reader)
                .toList();
    }

    private static String code(String cell) {
        return cell.replace("`", "");
    }
}
