/** The code of README.md and docs/, so that it compiles; {@code DocsTest} compares the two. */
@NullMarked
package io.github.hedge4j.examples.snippets;

import org.jspecify.annotations.NullMarked;
