package io.github.hedge4j.micrometer;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is measured of a hedge, with the unit and the words that go with it. */
enum HedgeMeter {
    CALLS("calls", "calls", "Calls that have ended, by how they did"),
    ATTEMPTS("attempts", "attempts", "Attempts that have ended, by the target they asked and how they did"),
    HEDGES("hedges", "hedges", "Attempts started beyond the first of their call"),
    WINS("wins", "calls", "Calls that got their result from this target"),
    WINS_BY_ATTEMPT("wins.by.attempt", "calls", "Calls that got their result from the attempt with this number"),
    DENIED("denied", "hedges", "Hedges that were due and were not started, by the reason"),
    CALL_DURATION("call.duration", null, "From the start of successful calls to their result"),
    DELAY("delay", null, "The delay that the first hedge of a call would have now"),
    BUDGET_AVAILABLE("budget.available", "tokens", "How many hedges the budget would pay for now"),
    ATTEMPTS_IN_FLIGHT("attempts.in.flight", "attempts", "Attempts running now, losers that have not ended included"),
    LOSERS_UNRESPONSIVE("losers.unresponsive", "attempts", "Losers that had not ended by the end of their grace"),
    LATENCY("latency", null, "The latency that this share of first attempts does not exceed, hedged or not");

    final String suffix;

    /** Null where Micrometer chooses the unit of time. */
    final @Nullable String baseUnit;

    final String description;

    private static final Pattern DOT_AND_LETTER = Pattern.compile("\\.(.)");

    HedgeMeter(String suffix, @Nullable String baseUnit, String description) {
        this.suffix = suffix;
        this.baseUnit = baseUnit;
        this.description = description;
    }

    /** What {@link HedgeMetricNames.Builder} calls its name. */
    String property() {
        String camelCase = DOT_AND_LETTER
                .matcher(suffix)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
        return camelCase + "MetricName";
    }
}
