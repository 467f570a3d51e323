/** Work that ends as soon as the service is told to stop. */
@NullMarked
package io.github.hedge4j.examples.shutdown;

import org.jspecify.annotations.NullMarked;
