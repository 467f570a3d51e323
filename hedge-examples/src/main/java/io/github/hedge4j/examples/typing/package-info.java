/** Search as you type, where only the newest request counts. */
@NullMarked
package io.github.hedge4j.examples.typing;

import org.jspecify.annotations.NullMarked;
