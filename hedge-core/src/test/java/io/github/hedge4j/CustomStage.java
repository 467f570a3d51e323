package io.github.hedge4j;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** A stage of somebody else's making: what it is asked goes to a future, except for methods that a test answers itself. */
final class CustomStage {

    private final CompletableFuture<Object> future;
    private final Map<String, Function<List<Object>, Object>> answers = new HashMap<>();

    private CustomStage(CompletableFuture<Object> future) {
        this.future = future;
    }

    static CustomStage of(CompletableFuture<Object> future) {
        return new CustomStage(future);
    }

    /** Answers this method from its arguments. */
    CustomStage on(String method, Function<List<Object>, Object> answer) {
        answers.put(method, answer);
        return this;
    }

    /** Does this with whoever wants to be told of the end. */
    @SuppressWarnings("unchecked")
    CustomStage onWhenComplete(Consumer<BiConsumer<Object, Throwable>> answer) {
        return on("whenComplete", arguments -> {
            answer.accept((BiConsumer<Object, Throwable>) arguments.get(0));
            return null;
        });
    }

    CustomStage throwingOn(String method) {
        return on(method, arguments -> {
            throw new UnsupportedOperationException(method);
        });
    }

    /** The stage, which is no {@link Future}. */
    CompletionStage<Object> stage() {
        return proxy(CompletionStage.class);
    }

    /** The stage, which is a {@link Future} too. */
    CompletionStage<Object> stageAndFuture() {
        return proxy(CompletionStage.class, Future.class);
    }

    @SuppressWarnings("unchecked")
    private CompletionStage<Object> proxy(Class<?>... interfaces) {
        return (CompletionStage<Object>) Proxy.newProxyInstance(
                getClass().getClassLoader(), interfaces, (proxy, method, arguments) -> {
                    var answer = answers.get(method.getName());
                    if (answer != null) {
                        return answer.apply(arguments == null ? List.of() : List.of(arguments));
                    }
                    try {
                        return method.invoke(future, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
