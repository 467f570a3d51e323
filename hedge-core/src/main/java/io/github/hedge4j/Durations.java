package io.github.hedge4j;

import static java.math.RoundingMode.HALF_UP;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as the engine counts them and as people read them. */
final class Durations {

    /** What longer durations are taken for, 146 years: half of the range, so that instants can still be compared by subtraction. */
    static final long MAX_NANOS = Long.MAX_VALUE >> 1;

    private static final Duration MAX = Duration.ofNanos(MAX_NANOS);

    private Durations() {}

    /** The duration in nanoseconds, at most {@link #MAX_NANOS}. */
    static long nanos(Duration duration) {
        return duration.compareTo(MAX) >= 0 ? MAX_NANOS : duration.toNanos();
    }

    /** The duration in milliseconds, to the microsecond: {@code 1.25 ms}. */
    static String millis(Duration duration) {
        var micros = BigDecimal.valueOf(nanos(duration), 6).setScale(3, HALF_UP);
        return micros.stripTrailingZeros().toPlainString() + " ms";
    }
}
