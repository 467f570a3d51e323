package io.github.hedge4j.examples.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.MethodDescriptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The one method of the service, which needs no generated code, and gRPC's futures as everybody else's. */
final class Rpc {

    static final String SERVICE = "hedge.Search";

    static final MethodDescriptor<String, String> FIND = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Find"))
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private Rpc() {}

    // tag::grpc[]
    /** The stage of an RPC that an asynchronous stub has started; cancelling it cancels the RPC. */
    static <T> CompletableFuture<T> stage(ListenableFuture<T> rpc) {
        CompletableFuture<T> stage = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                boolean unused = rpc.cancel(mayInterruptIfRunning);
                return super.cancel(mayInterruptIfRunning);
            }
        };
        Futures.addCallback(
                rpc,
                new FutureCallback<T>() {
                    @Override
                    public void onSuccess(@Nullable T reply) {
                        stage.complete(reply);
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        stage.completeExceptionally(failure);
                    }
                },
                Runnable::run);
        return stage;
    }
    // end::grpc[]

    private static final class Text implements MethodDescriptor.Marshaller<String> {

        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
