package io.github.hedge4j;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A call's results that nobody has received. Each is discarded, once, unless it is the very object the caller or somebody else has got.
 * Before the end nobody knows what the caller gets: then it is kept, and the end looks after it; both look again, so one of them finds
 * it.
 */
final class Leftovers {

    private final Call<?> call;

    /** Guarded by this object, as the next one. */
    private final List<Object> kept = new ArrayList<>(1);

    private final Set<Object> discarded = Collections.newSetFromMap(new IdentityHashMap<>(2));

    Leftovers(Call<?> call) {
        this.call = call;
    }

    void add(Object value) {
        synchronized (this) {
            kept.add(value);
        }
        if (call.isDone()) {
            discardAll();
        }
    }

    /** For a call whose future is complete. */
    void discardAll() {
        for (Object value = take(); value != null; value = take()) {
            if (value != delivered() && isFirst(value)) {
                call.policy.discard(value);
            }
        }
    }

    private @Nullable Object delivered() {
        return call.isCompletedExceptionally() ? null : call.getNow(null);
    }

    @Nullable
    private synchronized Object take() {
        return kept.isEmpty() ? null : kept.remove(kept.size() - 1);
    }

    private synchronized boolean isFirst(Object value) {
        return discarded.add(value);
    }
}
