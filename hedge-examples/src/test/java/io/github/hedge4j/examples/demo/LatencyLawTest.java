package io.github.hedge4j.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyLawTest {

    private static final int SAMPLES = 200_000;

    @Test
    void meanAndDeviationAreAsAskedFor() {
        double[] millis = millis(new LatencyLaw(5, 2, 0, 10), 1);

        assertThat(mean(millis)).isCloseTo(5, withinPercentage(1));
        assertThat(deviation(millis)).isCloseTo(2, withinPercentage(2));
    }

    @Test
    void stragglersTakeTheFactorLongerAndAreAsManyAsAskedFor() {
        double[] millis = millis(new LatencyLaw(5, 2, 0.05, 10), 1);

        // Both laws have next to nothing at 17 ms, so that the share above it is the stragglers' own.
        double[] stragglers = Arrays.stream(millis).filter(each -> each > 17).toArray();
        assertThat((double) stragglers.length / SAMPLES).isCloseTo(0.05, withinPercentage(3));
        assertThat(mean(stragglers)).isCloseTo(50, withinPercentage(3));
    }

    @Test
    void luckIsTheSeeds() {
        var law = new LatencyLaw(5, 2, 0.05, 10);

        assertThat(millis(law, 7)).isEqualTo(millis(law, 7)).isNotEqualTo(millis(law, 8));
    }

    private static double[] millis(LatencyLaw law, long seed) {
        return LongStream.generate(law.sampler(seed))
                .limit(SAMPLES)
                .mapToDouble(nanos -> nanos / 1e6)
                .toArray();
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double deviation(double[] values) {
        double mean = mean(values);
        return Math.sqrt(Arrays.stream(values)
                .map(value -> Math.pow(value - mean, 2))
                .average()
                .orElseThrow());
    }
}
