/** What several examples need and none is about: load, percentiles, tables, options. */
@NullMarked
package io.github.hedge4j.examples.support;

import org.jspecify.annotations.NullMarked;
