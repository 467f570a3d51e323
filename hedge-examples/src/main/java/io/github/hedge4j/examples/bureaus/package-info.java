/** Credit scores from three bureaus, of which one is slow and one is flaky, within a deadline. */
@NullMarked
package io.github.hedge4j.examples.bureaus;

import org.jspecify.annotations.NullMarked;
