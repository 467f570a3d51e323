package io.github.hedge4j;

import org.jspecify.annotations.Nullable;

/** A result, told apart by identity. */
final class FuzzValue {

    private enum Kind {
        GOOD,
        REFUSED,
        POISON
    }

    private final String name;
    private final Kind kind;

    FuzzValue(String name, FuzzDice dice) {
        this.name = name;
        this.kind = dice.oneOf(Kind.GOOD, Kind.GOOD, Kind.GOOD, Kind.GOOD, Kind.REFUSED, Kind.REFUSED, Kind.POISON);
    }

    static boolean isRefused(@Nullable Object value) {
        return value instanceof FuzzValue result && result.kind == Kind.REFUSED;
    }

    /** Whether the predicate breaks on it. */
    boolean poison() {
        return kind == Kind.POISON;
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
