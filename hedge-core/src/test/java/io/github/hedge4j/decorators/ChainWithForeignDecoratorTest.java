package io.github.hedge4j.decorators;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.Bulkhead;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Decorators in a chain of which nothing is known. */
class ChainWithForeignDecoratorTest extends ChainFixture {

    @Test
    void cancellingReachesTheSourceThroughDecoratorsThatSwallowIt() {
        var calls = new AtomicInteger();
        UnaryOperator<Supplier<CompletionStage<String>>> mapping = inner -> {
            calls.incrementAndGet();
            return () -> inner.get().thenApply(String::strip);
        };
        var search = chain().with(mapping)
                .with(inner -> Bulkhead.decorateCompletionStage(bulkhead, inner))
                .with(mapping)
                .decorate();

        var first = future(search.get());
        first.cancel(true);
        var second = future(search.get());
        sources.get(1).complete(" second ");

        assertThat(sources.get(0).cancelledWith).containsExactly(true);
        assertThat(sources.get(1).cancelledWith).isEmpty();
        assertThat(second).isCompletedWithValue("second");
        assertThat(calls).as("applied when the chain is built").hasValue(2);
    }

    @Test
    void aHedgesDecoratorFitsIn() {
        var call = chain().with(hedge(2).decorator()).withBulkhead(bulkhead).get();
        advance(70);

        sources.get(1).complete("hedge");

        assertThat(call).isCompletedWithValue("hedge");
        assertThat(sources.get(0).cancelledWith).containsExactly(true);
    }

    @Test
    void aForeignDecoratorThatThrowsIsAFailedStageAndItsSourceNoWorry() {
        var call = chain().withBulkhead(bulkhead)
                .with(inner -> () -> {
                    var unused = inner.get();
                    throw new IllegalStateException("broken");
                })
                .get();

        assertThat(failureOf(call)).hasMessage("broken");
        sources.get(0).complete("nobody waits for it");
    }
}
