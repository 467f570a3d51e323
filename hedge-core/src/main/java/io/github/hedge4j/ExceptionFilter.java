package io.github.hedge4j;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which failures may be outrun. An ignored class always wins; with neither a class nor a predicate to go by, everything may be. */
record ExceptionFilter(
        List<Class<? extends Throwable>> hedged,
        List<Class<? extends Throwable>> ignored,
        @Nullable Predicate<Throwable> predicate)
        implements Predicate<Throwable> {

    @Override
    public boolean test(Throwable failure) {
        return !isAny(ignored, failure) && isHedged(failure);
    }

    private boolean isHedged(Throwable failure) {
        if (hedged.isEmpty() && predicate == null) {
            return true;
        }
        return isAny(hedged, failure) || (predicate != null && predicate.test(failure));
    }

    private static boolean isAny(List<Class<? extends Throwable>> classes, Throwable failure) {
        for (var type : classes) {
            if (type.isInstance(failure)) {
                return true;
            }
        }
        return false;
    }
}
