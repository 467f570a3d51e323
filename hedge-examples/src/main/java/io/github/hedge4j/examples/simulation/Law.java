package io.github.hedge4j.examples.simulation;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * How long a replica works on an answer, in milliseconds. Drawn with {@link StrictMath} and nothing but
 * {@link RandomGenerator#nextDouble}, so that a seed means the same on every JVM.
 *
 * @param name for people
 * @param meanMillis the mean, from which a load follows
 * @param sampler draws one
 */
record Law(String name, double meanMillis, ToDoubleFunction<RandomGenerator> sampler) {

    /** The 99th percentile of the standard normal distribution. */
    private static final double NORMAL_P99 = 2.3263478740408408;

    double nextMillis(RandomGenerator random) {
        return sampler.applyAsDouble(random);
    }

    static Law constant(double millis) {
        return new Law("constant " + ms(millis), millis, random -> millis);
    }

    static Law exponential(double meanMillis) {
        return new Law("exponential, mean " + ms(meanMillis), meanMillis, random -> -meanMillis * logUniform(random));
    }

    /** At least {@code modeMillis}; the heavier-tailed, the smaller the shape. The mean is infinite up to shape 1. */
    static Law pareto(double shape, double modeMillis) {
        double mean = shape > 1 ? shape * modeMillis / (shape - 1) : Double.POSITIVE_INFINITY;
        return new Law(
                "Pareto, shape " + shape + ", from " + ms(modeMillis),
                mean,
                random -> modeMillis * StrictMath.exp(-logUniform(random) / shape));
    }

    static Law logNormal(double meanMillis, double sdMillis) {
        double variance = StrictMath.log1p(sdMillis / meanMillis * (sdMillis / meanMillis));
        return logNormal(
                "log-normal, mean " + ms(meanMillis) + ", sd " + ms(sdMillis),
                meanMillis * StrictMath.exp(-variance / 2),
                StrictMath.sqrt(variance));
    }

    /** The log-normal law with this median and 99th percentile. */
    static Law logNormalThrough(double p50Millis, double p99Millis) {
        return logNormal(
                "log-normal, p50 " + ms(p50Millis) + ", p99 " + ms(p99Millis),
                p50Millis,
                StrictMath.log(p99Millis / p50Millis) / NORMAL_P99);
    }

    /** The exponential of a normal with standard deviation {@code spread}. */
    private static Law logNormal(String name, double medianMillis, double spread) {
        return new Law(
                name,
                medianMillis * StrictMath.exp(spread * spread / 2),
                random -> medianMillis * StrictMath.exp(spread * nextNormal(random)));
    }

    /** One of these, each as likely as the others. */
    static Law measured(double... millis) {
        double[] measured = millis.clone();
        return new Law(
                String.format(Locale.ROOT, "%,d measured latencies", measured.length),
                Arrays.stream(measured).average().orElseThrow(),
                random -> measured[below(measured.length, random)]);
    }

    /** A share of answers takes {@code factor} times as long. */
    Law withStragglers(double share, double factor) {
        return new Law(
                String.format(Locale.ROOT, "%s, %s%% of them times %s", name, number(100 * share), number(factor)),
                meanMillis * (1 + share * (factor - 1)),
                random -> nextMillis(random) * (random.nextDouble() < share ? factor : 1));
    }

    /** The same law at another scale. */
    Law withMean(double newMeanMillis) {
        double scale = newMeanMillis / meanMillis;
        return new Law(
                name + ", scaled to mean " + ms(newMeanMillis), newMeanMillis, random -> scale * nextMillis(random));
    }

    /** A whole number from 0 to {@code bound - 1}. */
    static int below(int bound, RandomGenerator random) {
        return (int) (random.nextDouble() * bound);
    }

    /** Of a number that is above 0 and at most 1. */
    static double logUniform(RandomGenerator random) {
        return StrictMath.log(1 - random.nextDouble());
    }

    /** Box and Muller's transformation. */
    private static double nextNormal(RandomGenerator random) {
        double radius = StrictMath.sqrt(-2 * logUniform(random));
        return radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
    }

    private static String ms(double millis) {
        return number(millis) + " ms";
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.format(Locale.ROOT, "%.0f", value) : String.valueOf(value);
    }
}
