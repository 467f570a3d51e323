package io.github.hedge4j.examples.simulation;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page with the table and the curves. It is one file and fetches nothing: ECharts is inside.
 *
 * @param title its heading
 * @param description what was simulated, line by line
 * @param outcomes what came of it
 * @param overTime whether anything changed with time that is worth a curve
 */
record Report(String title, List<String> description, List<Outcome> outcomes, boolean overTime) {

    private static final String CHARTS = "/META-INF/resources/webjars/echarts/5.3.1/dist/echarts.min.js";
    private static final int POINTS_PER_DECADE = 40;

    void writeTo(Path file) throws IOException {
        Files.writeString(file, html());
    }

    String html() throws IOException {
        return resource("report.html")
                .replace("{{data}}", data().encode().replace("<", "\\u003c"))
                .replace("{{charts}}", resource(CHARTS));
    }

    private JsonObject data() {
        JsonArray columns = new JsonArray();
        OutcomeTable.COLUMNS.forEach(column -> columns.add(column.getKey()));
        JsonArray policies = new JsonArray();
        outcomes.forEach(outcome -> policies.add(policy(outcome)));
        return new JsonObject()
                .put("title", title)
                .put("description", new JsonArray(description))
                .put("overTime", overTime)
                .put("columns", columns)
                .put("policies", policies);
    }

    private static JsonObject policy(Outcome outcome) {
        JsonArray cells = new JsonArray();
        OutcomeTable.COLUMNS.forEach(column -> cells.add(column.getValue().apply(outcome)));
        JsonArray goodput = new JsonArray();
        JsonArray hedges = new JsonArray();
        for (Outcome.Second second : outcome.seconds()) {
            goodput.add(percent(second.good(), second.calls()));
            hedges.add(percent(second.hedges(), second.calls()));
        }
        return new JsonObject()
                .put("name", outcome.policy())
                .put("cells", cells)
                .put("curve", curve(outcome))
                .put("goodput", goodput)
                .put("hedges", hedges);
    }

    /** Pairs: the share of calls that are slower, and than what. */
    private static JsonArray curve(Outcome outcome) {
        JsonArray curve = new JsonArray();
        double step = StrictMath.pow(10, -1.0 / POINTS_PER_DECADE);
        for (double slower = 0.99; slower * outcome.calls() >= 5; slower *= step) {
            double millis = outcome.millisAt(1 - slower);
            if (millis < Double.POSITIVE_INFINITY) {
                curve.add(new JsonArray().add(slower).add(millis));
            }
        }
        return curve;
    }

    private static double percent(int part, int whole) {
        return whole == 0 ? 0 : 100.0 * part / whole;
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Report.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("not on the class path: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
