/** Hedged gRPC calls, the losers of which end as CANCELLED at their server. */
@NullMarked
package io.github.hedge4j.examples.grpc;

import org.jspecify.annotations.NullMarked;
