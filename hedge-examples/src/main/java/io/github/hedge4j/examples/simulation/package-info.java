/** A discrete-event simulation: hedge-core itself against simulated replicas, on virtual time. */
@NullMarked
package io.github.hedge4j.examples.simulation;

import org.jspecify.annotations.NullMarked;
