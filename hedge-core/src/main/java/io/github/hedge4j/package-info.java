/** Hedged requests: the API and the engine that runs a call, its attempts and their end. */
@NullMarked
package io.github.hedge4j;

import org.jspecify.annotations.NullMarked;
