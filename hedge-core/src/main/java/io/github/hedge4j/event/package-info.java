/** What happened inside a hedge: the events that its publisher sends to listeners. */
@NullMarked
package io.github.hedge4j.event;

import org.jspecify.annotations.NullMarked;
