package io.github.hedge4j.decorators;

import static java.util.Objects.requireNonNull;

import io.github.hedge4j.Hedge;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A chain with a decorator of the user's own around it, which is applied once. */
final class Foreign<T> implements Supplier<CompletionStage<T>> {

    /** The innermost call of this kind that the thread is making. */
    private static final ThreadLocal<@Nullable ForeignStage<?>> CURRENT = new ThreadLocal<>();

    private final Supplier<CompletionStage<T>> chain;
    private final @Nullable Hedge inner;
    private final Supplier<CompletionStage<T>> decorated;

    Foreign(
            Supplier<CompletionStage<T>> chain,
            @Nullable Hedge inner,
            UnaryOperator<Supplier<CompletionStage<T>>> decorator) {
        this.chain = chain;
        this.inner = inner;
        this.decorated = requireNonNull(decorator.apply(this::ask), "decorator must not return null");
    }

    @Override
    public CompletionStage<T> get() {
        ForeignStage<?> outer = CURRENT.get();
        ForeignStage<T> stage = new ForeignStage<>(this);
        CURRENT.set(stage);
        try {
            return stage.start(decorated, inner);
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }

    /** What the decorator decorates. */
    private CompletionStage<T> ask() {
        ForeignStage<T> stage = ForeignStage.of(this, CURRENT.get());
        CompletionStage<T> asked = chain.get();
        if (stage != null) {
            stage.own(asked);
        }
        return asked;
    }
}
