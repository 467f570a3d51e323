package io.github.hedge4j;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A call's results that nobody has received, kept until it is known what its caller gets; and which have been discarded. */
final class Leftovers {

    private final List<Object> kept = new ArrayList<>(1);
    private final Set<Object> discarded = Collections.newSetFromMap(new IdentityHashMap<>(2));

    synchronized void keep(Object value) {
        kept.add(value);
    }

    /** Null if none is left. */
    @Nullable
    synchronized Object take() {
        return kept.isEmpty() ? null : kept.remove(kept.size() - 1);
    }

    /** Whether this object has not been discarded yet; from now on it has. */
    synchronized boolean isFirstToDiscard(Object value) {
        return discarded.add(value);
    }
}
