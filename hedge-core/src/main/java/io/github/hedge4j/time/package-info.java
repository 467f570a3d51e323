/** Clock and timer in one object: the system's, and a virtual one for tests and simulations. */
@NullMarked
package io.github.hedge4j.time;

import org.jspecify.annotations.NullMarked;
