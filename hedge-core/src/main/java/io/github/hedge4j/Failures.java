package io.github.hedge4j;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** What several attempts failed with. */
final class Failures {

    private Failures() {}

    /** Each failure once, in order: attempts may have failed with the very same exception, whose {@code equals} is not to be asked. */
    static List<Throwable> distinct(Collection<Throwable> failures) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        return failures.stream().filter(seen::add).toList();
    }
}
