package io.github.hedge4j.examples.support;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers on a command line, within bounds. */
public final class Numbers {

    private Numbers() {}

    /**
     * The text as a number.
     *
     * @throws TypeConversionException if it is none from {@code min} to {@code max}
     */
    public static double number(String text, double min, double max) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
        if (!(value >= min && value <= max)) { // so that NaN fails it too
            throw new TypeConversionException(
                    String.format(Locale.ROOT, "must be from %,.0f to %,.0f, but was %s", min, max, text));
        }
        return value;
    }

    /**
     * The text as a whole number.
     *
     * @throws TypeConversionException if it is none from {@code min} to {@code max}
     */
    public static int wholeNumber(String text, int min, int max) {
        double value = number(text, min, max);
        if (value != Math.rint(value)) {
            throw new TypeConversionException("must be a whole number, but was " + text);
        }
        return (int) value;
    }

    /** From 0 to 1. */
    public static final class Share implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return number(text, 0, 1);
        }
    }
}
