package io.github.hedge4j.examples.simulation;

import io.github.hedge4j.HedgeBudget;
import io.github.hedge4j.HedgeConfig;
import io.github.hedge4j.HedgeDelay;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A configuration in a word: {@code none}, {@code defaults}, {@code race:3}, {@code p90}, {@code 20ms}, {@code p92x3:15%}. */
final class PolicyText implements ITypeConverter<PolicyText.Named> {

    static final String HELP =
            "none, defaults, race:N (N attempts at once), or a delay (p95, 20ms), then if wanted the most attempts (x3)"
                    + " and the budget (:5%% or :unbounded)";

    private static final String NUMBER = "(\\d+(?:\\.\\d+)?)";
    private static final Pattern HEDGED =
            Pattern.compile("(?:p" + NUMBER + "|" + NUMBER + "ms)(?:x(\\d+))?(?::(?:" + NUMBER + "%|(unbounded)))?");
    private static final Pattern RACE = Pattern.compile("race:(\\d+)");

    /** What was written and what it means. */
    record Named(String name, HedgeConfig config) {}

    @Override
    public Named convert(String text) {
        try {
            return new Named(text, config(text));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'" + text + "' is no policy: " + e.getMessage());
        }
    }

    private static HedgeConfig config(String text) {
        if (text.equals("none")) {
            return Policies.none();
        }
        if (text.equals("defaults")) {
            return HedgeConfig.ofDefaults();
        }
        Matcher race = RACE.matcher(text);
        if (race.matches()) {
            return HedgeConfig.racing(Integer.parseInt(race.group(1)));
        }
        Matcher hedged = HEDGED.matcher(text);
        if (!hedged.matches()) {
            throw new IllegalArgumentException("it is none of " + HELP.replace("%%", "%"));
        }
        HedgeConfig.Builder builder = HedgeConfig.custom().delay(delay(hedged));
        if (hedged.group(3) != null) {
            builder.maxAttempts(Integer.parseInt(hedged.group(3)));
        }
        if (hedged.group(4) != null) {
            builder.budget(HedgeBudget.ratio(Double.parseDouble(hedged.group(4)) / 100));
        }
        if (hedged.group(5) != null) {
            builder.budget(HedgeBudget.unlimited());
        }
        return builder.build();
    }

    private static HedgeDelay delay(Matcher hedged) {
        String percentile = hedged.group(1);
        return percentile != null
                ? HedgeDelay.percentile(Double.parseDouble(percentile) / 100)
                : HedgeDelay.fixed(Policies.ms(Double.parseDouble(hedged.group(2))));
    }
}
