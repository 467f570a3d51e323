package io.github.hedge4j.examples.demo;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.hedge4j.Hedge;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import io.github.hedge4j.micrometer.TaggedHedgeMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of the demo's load against what its servers saw, and the dashboard and the alerts against these metrics. */
@Tag("realtime")
class MonitoringTest {

    private static final Path ALERTS = Path.of("../docs/prometheus/alerts.yml");
    private static final Path ALERTS_TEST = Path.of("../docs/prometheus/alerts_test.yml");
    private static final Path DASHBOARD = Path.of("../docs/grafana/hedge.json");
    private static final Pattern METRIC = Pattern.compile("\\bhedge_[a-z_]+");

    private static final int CALLS = 400;

    private static final PrometheusMeterRegistry METERS = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private static List<ReplicaServer.Counts> servers = List.of();

    @TempDir
    private Path directory;

    /** Stragglers take about a second: long enough that no loser is about to be answered, or a winner about to be cancelled. */
    @BeforeAll
    static void runTheLoad() throws InterruptedException {
        HedgeDelay delay = HedgeDelay.fixed(Duration.ofMillis(100));
        Hedge hedge = Hedge.of("search", HedgeConfig.custom().delay(delay).build());
        TaggedHedgeMetrics.ofHedge(hedge).withCallDurationHistogram().bindTo(METERS);
        try (var replicas = Replicas.following(new LatencyLaw(5, 2, 0.04, 200), 1)) {
            var client = new ReplicaClient(HttpClient.newHttpClient(), replicas.uris());
            Run run = Run.of(Strategy.hedged(hedge), client, replicas, new Load(CALLS, 8), () -> {});
            servers = run.servers();
            assertThat(run.isClean()).isTrue();
        }
    }

    @Test
    void everyTargetsAttemptsAreWhatItsServerCounted() {
        for (int i = 0; i < servers.size(); i++) {
            String target = Replicas.name(i);
            ReplicaServer.Counts server = servers.get(i);

            assertThat(attempts(target, "success")).as(target).isEqualTo(server.answered());
            assertThat(attempts(target, "failure")).as(target).isZero();
            assertThat(attempts(target, "cancelled")).as(target).isEqualTo(server.cancelled());
        }
        assertThat(servers.stream().mapToLong(ReplicaServer.Counts::cancelled).sum())
                .isPositive();
        assertThat(servers.stream().mapToLong(ReplicaServer.Counts::received).sum())
                .isEqualTo(CALLS
                        + (long) METERS.get("hedge.hedges").functionCounter().count());
    }

    private static long attempts(String target, String outcome) {
        FunctionCounter counter = METERS.get("hedge.attempts")
                .tags("target", target, "outcome", outcome)
                .functionCounter();
        return (long) counter.count();
    }

    @Test
    void promtoolReadsTheScrapeWithoutARemark() throws IOException, InterruptedException {
        Tool.Result result = promtool().run(METERS.scrape(), "check", "metrics");

        assertThat(result.output()).isEmpty();
    }

    @Test
    void everyMetricOfTheAlertsIsScraped() throws IOException {
        assertThat(metricsIn(Files.readString(ALERTS)))
                .contains("hedge_denied_hedges_total")
                .isSubsetOf(scraped());
    }

    @Test
    void everyMetricOfTheDashboardIsScraped() throws IOException {
        assertThat(metricsIn(Files.readString(DASHBOARD)))
                .contains("hedge_latency_seconds")
                .isSubsetOf(scraped());
    }

    private static Set<String> metricsIn(String text) {
        return METRIC.matcher(text).results().map(match -> match.group()).collect(toCollection(TreeSet::new));
    }

    private static Set<String> scraped() {
        return METERS.scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf('{')))
                .collect(toCollection(TreeSet::new));
    }

    @Test
    void theAlertsFireWhenTheyShouldAndOnlyThen() throws IOException, InterruptedException {
        Tool promtool = promtool();

        Tool.Result rules = promtool.run("", "check", "rules", ALERTS.toString());
        Tool.Result tests = promtool.run("", "test", "rules", ALERTS_TEST.toString());

        assertThat(rules.exitCode()).as(rules.output()).isZero();
        assertThat(tests.exitCode()).as(tests.output()).isZero();
    }

    @Test
    void everyAlertHasATestInWhichItFires() throws IOException {
        String tests = Files.readString(ALERTS_TEST);

        assertThat(Pattern.compile("- alert: (\\w+)")
                        .matcher(Files.readString(ALERTS))
                        .results())
                .isNotEmpty()
                .allSatisfy(alert -> assertThat(tests)
                        .containsPattern("alertname: " + alert.group(1) + "\\s+exp_alerts:\\s+- exp_labels"));
    }

    @Test
    void theDashboardCanBeImported() throws IOException {
        var dashboard = new JsonObject(Files.readString(DASHBOARD));

        assertThat(dashboard.getInteger("schemaVersion")).isPositive();
        assertThat(dashboard.getValue("id")).isNull();
        assertThat(objects(dashboard.getJsonArray("__inputs")).map(input -> input.getString("name")))
                .containsExactly("DS_PROMETHEUS");
        assertThat(objects(dashboard.getJsonObject("templating").getJsonArray("list"))
                        .map(variable -> variable.getString("name")))
                .contains("name");
        assertThat(objects(dashboard.getJsonArray("panels")).map(panel -> panel.getInteger("id")))
                .isNotEmpty()
                .doesNotHaveDuplicates();
        assertThat(queries())
                .isNotEmpty()
                .allSatisfy(
                        query -> assertThat(query.getJsonObject("datasource").getString("uid"))
                                .isEqualTo("${DS_PROMETHEUS}"))
                .allSatisfy(query -> assertThat(query.getString("expr")).contains("name=~\"$name\""));
    }

    @Test
    void theDashboardsQueriesAreUnderstood() throws IOException, InterruptedException {
        Tool promtool = promtool();
        JsonArray rules = new JsonArray();
        for (JsonObject query : queries()) {
            String expression = query.getString("expr").replace("$__rate_interval", "5m");
            rules.add(new JsonObject().put("record", "panel:" + rules.size()).put("expr", expression));
        }
        var group = new JsonObject().put("name", "dashboard").put("rules", rules);
        // JSON is YAML.
        Path file = directory.resolve("dashboard.yml");
        Files.writeString(
                file, new JsonObject().put("groups", new JsonArray().add(group)).encode());

        Tool.Result result = promtool.run("", "check", "rules", file.toString());

        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    private static List<JsonObject> queries() throws IOException {
        List<JsonObject> queries = new ArrayList<>();
        var dashboard = new JsonObject(Files.readString(DASHBOARD));
        objects(dashboard.getJsonArray("panels"))
                .filter(panel -> !panel.getString("type").equals("row"))
                .forEach(panel -> objects(panel.getJsonArray("targets")).forEach(queries::add));
        return queries;
    }

    private static Stream<JsonObject> objects(JsonArray array) {
        return array.stream().map(JsonObject.class::cast);
    }

    private static Tool promtool() {
        Optional<Tool> promtool = Tool.named("promtool");
        assumeThat(promtool).as("promtool on the path").isPresent();
        return promtool.orElseThrow();
    }
}
