package io.github.hedge4j.benchmarks.report;

import java.util.Collection;
import java.util.Locale;

/**
 * A measured value: its median and the quartiles around it. Arithmetic takes quartiles for bounds, so that what comes of two is rather
 * too wide.
 */
record Spread(double low, double median, double high) {

    static Spread of(Collection<Double> samples) {
        double[] sorted =
                samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Spread(quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75));
    }

    private static double quantile(double[] sorted, double q) {
        double position = q * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }

    Spread minus(Spread other) {
        return new Spread(low - other.high, median - other.median, high - other.low);
    }

    /** Differences that are nothing, or less, are taken for a tenth of a nanosecond or byte: there is no less to be seen. */
    Spread over(Spread other) {
        return new Spread(low / atLeast(other.high), median / atLeast(other.median), high / atLeast(other.low));
    }

    private static double atLeast(double divisor) {
        return Math.max(divisor, 0.1);
    }

    Spread times(double factor) {
        return new Spread(low * factor, median * factor, high * factor);
    }

    /** The median, as many digits as mean something. */
    String rounded() {
        return digits(median);
    }

    @Override
    public String toString() {
        return digits(median) + " (" + digits(low) + " to " + digits(high) + ")";
    }

    private static String digits(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, size < 0.005 ? 0.0 : value);
    }
}
