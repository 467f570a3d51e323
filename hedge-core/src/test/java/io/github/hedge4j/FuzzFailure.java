package io.github.hedge4j;

import java.util.concurrent.CompletionException;

/** A failure that the script thinks up; without a stack trace, for there are many. */
class FuzzFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FuzzFailure(String message) {
        super(message, null, false, false);
    }

    /** Ends its call where failures of this type are ignored. */
    static final class Ignored extends FuzzFailure {
        private static final long serialVersionUID = 1L;

        Ignored(String message) {
            super(message);
        }
    }

    /** Stops hedging where that is configured. */
    static final class Stop extends FuzzFailure {
        private static final long serialVersionUID = 1L;

        Stop(String message) {
            super(message);
        }
    }

    /** Breaks the predicate where there is one. */
    static final class Poison extends FuzzFailure {
        private static final long serialVersionUID = 1L;

        Poison(String message) {
            super(message);
        }
    }

    static final class Serious extends Error {
        private static final long serialVersionUID = 1L;

        Serious(String message) {
            super(message, null, false, false);
        }
    }

    static Throwable any(FuzzDice dice, String name) {
        return switch (dice.below(9)) {
            case 0 -> new Ignored(name);
            case 1 -> new Stop(name);
            case 2 -> new Poison(name);
            case 3 -> new Serious(name);
            case 4 -> new CompletionException(new FuzzFailure(name));
            default -> new FuzzFailure(name);
        };
    }
}
