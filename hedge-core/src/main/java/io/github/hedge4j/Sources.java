package io.github.hedge4j;

import io.github.hedge4j.future.Stages;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The futures that one attempt answers for besides the one its supplier returned: they are cancelled with it, and each is forgotten as it
 * ends, so that a thousand of them one after another are never more than one. Themselves they are one of the attempt's cancel actions.
 */
final class Sources implements Runnable {

    private final Set<Source> running = ConcurrentHashMap.newKeySet();

    void add(CompletionStage<?> stage) {
        Source source = new Source(stage);
        running.add(source);
        Stages.listen(stage, null, source);
    }

    /** Cancels those that have not ended, each once, whoever else does the same meanwhile. */
    void cancel() {
        running.forEach(source -> {
            if (running.remove(source)) {
                Stages.cancel(source.stage);
            }
        });
    }

    @Override
    public void run() {
        cancel();
    }

    int size() {
        return running.size();
    }

    private final class Source implements Stages.Listener<Object> {

        private final CompletionStage<?> stage;

        Source(CompletionStage<?> stage) {
            this.stage = stage;
        }

        @Override
        public void accept(@Nullable Object value, @Nullable Throwable failure) {
            running.remove(this);
        }
    }
}
