package io.github.hedge4j;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks of what users configure. Each returns the value, or throws with the property's name first and the value in the message. */
final class Settings {

    private Settings() {}

    static <T> T notNull(String property, @Nullable T value) {
        return requireNonNull(value, () -> property + " must not be null");
    }

    /** A copy, with the elements checked as well. */
    static <T> List<T> noneNull(String property, T @Nullable [] values) {
        for (var value : notNull(property, values)) {
            requireNonNull(value, () -> property + " must not contain null");
        }
        return List.copyOf(Arrays.asList(values));
    }

    /** A copy, with keys and values checked as well. */
    static Map<String, String> noneNull(String property, @Nullable Map<String, String> values) {
        for (var entry : notNull(property, values).entrySet()) {
            requireNonNull(entry.getKey(), () -> property + " must not have a null key");
            requireNonNull(
                    entry.getValue(),
                    () -> property + " must not have a null value, but had one for '" + entry.getKey() + "'");
        }
        return Map.copyOf(values);
    }

    static int atLeast(String property, int least, int value) {
        check(value >= least, property, ">= " + least, value);
        return value;
    }

    static int between(String property, int least, int most, int value) {
        atLeast(property, least, value);
        check(value <= most, property, "<= " + most, value);
        return value;
    }

    static double finiteAndNotNegative(String property, double value) {
        check(Double.isFinite(value) && value >= 0, property, "finite and >= 0", value);
        return value;
    }

    static Duration atLeast(String property, Duration least, @Nullable Duration value) {
        Duration given = notNull(property, value);
        check(given.compareTo(least) >= 0, property, ">= " + least, given);
        return given;
    }

    static Duration positive(String property, @Nullable Duration value) {
        Duration given = notNull(property, value);
        check(given.compareTo(Duration.ZERO) > 0, property, "> " + Duration.ZERO, given);
        return given;
    }

    static void check(boolean holds, String property, String requirement, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(property + " must be " + requirement + ", but was " + value);
        }
    }
}
