/** What the engine and the decorators share: how stages are listened to and cancelled, and futures whose work ends with them. For their own use. */
@NullMarked
package io.github.hedge4j.future;

import org.jspecify.annotations.NullMarked;
