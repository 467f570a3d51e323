package io.github.hedge4j.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** A bound on a measured value. */
record Goal(String what, String unit, boolean atMost, double bound, Spread measured) {

    /** Bytes come as rates over iterations, to which the JVM's own threads add a few hundredths. */
    private static final double BLUR_OF_BYTES = 0.05;

    static Goal atMost(double bound, String unit, String what, Spread measured) {
        return new Goal(what, unit, true, bound, measured);
    }

    static Goal atLeast(double bound, String unit, String what, Spread measured) {
        return new Goal(what, unit, false, bound, measured);
    }

    boolean isReached() {
        return isReachedBy(measured.median());
    }

    private boolean isReachedBy(double value) {
        double blur = unit.endsWith("B") ? BLUR_OF_BYTES : 0;
        return atMost ? value <= bound + blur : value >= bound;
    }

    List<String> row() {
        return List.of(what, (atMost ? "at most " : "at least ") + number(bound) + unit, measured + unit, verdict());
    }

    private String verdict() {
        boolean sure = isReachedBy(measured.low()) == isReachedBy(measured.high());
        String doubt = sure ? "" : ", within the noise";
        if (isReached()) {
            return "reached" + doubt;
        }
        String by = bound == 0
                ? number(measured.median()) + unit
                : String.format(Locale.ROOT, "%.0f %%", 100 * Math.abs(measured.median() / bound - 1));
        return "**missed by " + by + "**" + doubt;
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
