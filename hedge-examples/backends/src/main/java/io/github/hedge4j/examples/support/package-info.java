/** What several examples need and none is about. */
@NullMarked
package io.github.hedge4j.examples.support;

import org.jspecify.annotations.NullMarked;
