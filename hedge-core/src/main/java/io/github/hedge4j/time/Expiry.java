package io.github.hedge4j.time;

/**
 * A task that stands for time having run out: a delay that is over, a deadline that has passed. A {@link VirtualTimer}
 * runs everything else that is due at the same instant first, so that what completes on the very tick of its timeout is
 * in time. In real time no two things happen at the same instant, and {@link HedgeTimer#system()} makes no difference
 * between tasks.
 */
public interface Expiry extends Runnable {}
