package io.github.hedge4j.time;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The timer on {@link System#nanoTime()}, built for tasks that are nearly always cancelled long before they are due: to
 * schedule is one compare-and-set, to cancel is one exchange, and an entry that is cancelled soon never gets into an
 * ordered structure.
 *
 * <pre>{@code
 *             any thread                             the timer's thread, at each look
 * schedule ---- push ----> intake (lock-free stacks) ---- take all ---+- live ----> heap ---- due ----> run
 *                                                                     +- cancelled: dropped
 *
 * entry.task    the task ----+- cancel() ------+----> null             whose exchange gets the task decides
 *                            +- the thread ----+
 * entry.next    the entry below in the intake ----> itself: in the heap, or popped from it
 *                                             ----> null: dropped
 * wakeUp        now: awake ----+----> at most 10 ms on: a nap, if the intake held something
 *                              +----> beyond every due time: idle, any push ends the sleep
 * }</pre>
 *
 * <p><b>Exactly one of run and cancel.</b> Both take the task by {@code getAndSet(null)} on {@code entry.task}; one
 * gets it.
 *
 * <p><b>No wake-up is missed.</b> A producer pushes, then reads {@code wakeUp}, and unparks the thread if its entry is
 * due earlier. The thread writes {@code wakeUp}, then takes the intake, and then only ever lowers it. All four are
 * volatile accesses and so have one order: either the push comes before the taking, and the thread goes to sleep
 * knowing the entry, or the producer reads the {@code wakeUp} that the thread will sleep until, or the higher one that
 * it was lowered from, and compares with that. Only to idle is {@code wakeUp} raised after the intake was looked at,
 * and then the intake is looked at again. An unpark that finds the thread awake makes its next park return at once.
 *
 * <p><b>Naps.</b> While entries come in, the thread sleeps no longer than 10 ms, so that the cancelled ones are let go
 * of by then, nor longer than what the newest entries have left: whoever goes on scheduling with those delays is due
 * after the nap and need not unpark anybody. Once it finds the intake empty, it sleeps until the earliest entry in the
 * heap is due, or for good.
 *
 * <p><b>Stripes.</b> The intake is several stacks on cache lines of their own, and a producer's thread chooses one by
 * its id. Two threads that do nothing but schedule take three times as long on a single one.
 *
 * <p><b>Cancelled in the heap.</b> They are counted by who cancels them, if {@code next} tells that the heap has the
 * entry. The thread writes {@code next}, then reads {@code task} again; who cancels clears {@code task}, then reads
 * {@code next}: at least one sees the other. Both may, and count twice, which makes a sweep come early and no more.
 * When more than half of the heap, and more than a few, have been cancelled since the last sweep, the thread sweeps;
 * {@code tolerated} is published and then compared with the count by the thread, and the count is raised and then
 * compared by who cancels, so that one of the two notices. An entry thus costs at most a few steps of some sweep, and
 * the heap holds little more than twice what lives in it.
 *
 * <p><b>Memory.</b> An entry, which is the {@link Timeout} too, takes 32 bytes with compressed references. Entries that
 * left the intake link to no other: a dead one in the old generation would keep all those pushed after it alive.
 */
final class SystemTimer implements HedgeTimer {

    static final SystemTimer SHARED = new SystemTimer(SystemTimer::startThread);

    private static final long LONGEST_DELAY = Long.MAX_VALUE / 2;
    // Later than any due time, by a margin for producers that read the clock a little earlier.
    private static final long FOREVER = LONGEST_DELAY + LONGEST_DELAY / 2;
    private static final long LONGEST_NAP = 10_000_000;
    private static final long PAUSE_AFTER_FAILURE = 10_000_000;
    private static final int A_FEW = 256;
    private static final int MOST_STRIPES = 32;
    // References from one stripe to the next: 128 bytes, since cache lines are fetched in pairs.
    private static final int STRIDE = 32;

    private static final VarHandle TASK;
    private static final VarHandle NEXT;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TASK = lookup.findVarHandle(Entry.class, "task", Runnable.class);
            NEXT = lookup.findVarHandle(Entry.class, "next", Entry.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Function<Runnable, Thread> starter;
    private final int alwaysTolerated;
    private final int stripes; // a power of two

    // Shared. The newest entry of each stripe's stack: pushed by any thread, taken by the timer's.
    private final AtomicReferenceArray<@Nullable Entry> intake;
    // Written by the timer's thread only.
    private volatile long wakeUp = System.nanoTime() + FOREVER;
    private volatile int tolerated;
    // Raised by any thread that cancels, reset by the timer's.
    private final AtomicInteger cancelledInHeap = new AtomicInteger();
    // Written under this object's monitor.
    private volatile @Nullable Thread thread;

    // Owned by the timer's thread.
    private final PriorityQueue<Entry> heap = new PriorityQueue<>(Entry::compareByDueTime);
    private @Nullable Entry taken; // what was taken from the intake and is not dealt with yet

    /** A timer whose loop is run, from the first task on, by the thread that {@code starter} starts and returns. */
    SystemTimer(Function<Runnable, Thread> starter) {
        this(starter, A_FEW, stripesFor(Runtime.getRuntime().availableProcessors()));
    }

    /**
     * As above, with an intake of {@code stripes} stacks, a power of two, and a heap that is not swept unless more than
     * {@code alwaysTolerated} entries in it were cancelled.
     */
    SystemTimer(Function<Runnable, Thread> starter, int alwaysTolerated, int stripes) {
        this.starter = starter;
        this.alwaysTolerated = alwaysTolerated;
        this.tolerated = alwaysTolerated;
        this.stripes = stripes;
        this.intake = new AtomicReferenceArray<>((stripes + 1) * STRIDE);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Timeout schedule(Runnable task, long delayNanos) {
        return scheduleAt(task, System.nanoTime() + Math.min(Math.max(delayNanos, 0), LONGEST_DELAY));
    }

    @Override
    public Timeout scheduleAt(Runnable task, long dueNanos) {
        Objects.requireNonNull(task, "task must not be null");
        Entry entry = new Entry(this, task, dueNanos);
        push(entry);
        if (dueNanos - wakeUp < 0) {
            wake(entry);
        }
        return entry;
    }

    // Twice the processors, so that two threads that run at once seldom meet.
    private static int stripesFor(int processors) {
        return Math.min(Integer.highestOneBit(2 * processors), MOST_STRIPES);
    }

    private static int slot(int stripe) {
        return (stripe + 1) * STRIDE; // the first stride keeps off what lies before the array
    }

    private void push(Entry entry) {
        int slot = slot((int) Thread.currentThread().getId() & (stripes - 1));
        Entry top;
        do {
            top = intake.get(slot);
            NEXT.set(entry, top);
        } while (!intake.compareAndSet(slot, top, entry));
    }

    private void wake(Entry entry) {
        if (thread == null) {
            try {
                start();
            } catch (Throwable e) {
                entry.cancel(); // the caller gets no handle, so the task must not run when a later start succeeds
                throw e;
            }
        }
        // Also if another producer has just started it: it may have looked, and gone to sleep, before our push.
        LockSupport.unpark(thread);
    }

    private synchronized void start() {
        if (thread == null) {
            thread = starter.apply(this::lookForever);
        }
    }

    private void lookForever() {
        while (true) {
            // Nobody has a reason to interrupt this thread, and a flag left set would keep it from sleeping.
            Thread.interrupted();
            try {
                long sleepNanos = look(System.nanoTime()) - System.nanoTime();
                if (sleepNanos > 0) {
                    LockSupport.parkNanos(this, sleepNanos);
                }
            } catch (Throwable e) {
                // Memory may have run out while the heap grew; `taken` still has what did not fit.
                report("hedge timer failed, and goes on", e);
                LockSupport.parkNanos(PAUSE_AFTER_FAILURE);
            }
        }
    }

    /**
     * Runs what is due, takes in what was scheduled and sweeps what was cancelled. For the timer's thread only, or a
     * test in its place.
     *
     * @return when to look again unless unparked before
     */
    long look(long nowNanos) {
        wakeUp = nowNanos;
        runDue(nowNanos);
        admitTaken(); // left over only if an earlier look failed

        long napEnd = nowNanos + LONGEST_NAP;
        long never = nowNanos + FOREVER;
        wakeUp = napEnd;
        long next = takeIn(napEnd, never);
        sweep();

        if (next == never) {
            wakeUp = never;
            return intakeIsEmpty() ? earliest(never) : nowNanos;
        }
        next = earliest(next);
        wakeUp = next;
        return next;
    }

    /**
     * Empties the intake. Returns until when to nap: no later than the newest of any stripe is due; {@code never} if
     * all were empty.
     */
    private long takeIn(long napEnd, long never) {
        long next = never;
        for (int stripe = 0; stripe < stripes; stripe++) {
            int slot = slot(stripe);
            if (intake.get(slot) != null) {
                Entry newest = intake.getAndSet(slot, null);
                next = earlier(newest.dueNanos, next == never ? napEnd : next);
                taken = newest;
                admitTaken();
            }
        }
        return next;
    }

    private boolean intakeIsEmpty() {
        for (int stripe = 0; stripe < stripes; stripe++) {
            if (intake.get(slot(stripe)) != null) {
                return false;
            }
        }
        return true;
    }

    private void runDue(long nowNanos) {
        Entry entry = heap.peek();
        while (entry != null && (entry.task == null || entry.dueNanos - nowNanos <= 0)) {
            heap.remove();
            entry.run();
            entry = heap.peek();
        }
    }

    private void admitTaken() {
        Entry entry = taken;
        while (entry != null) {
            Entry below = entry.next;
            if (entry.task == null) {
                NEXT.set(entry, null);
            } else {
                heap.add(entry);
                NEXT.setVolatile(entry, entry);
                // It may have been cancelled since, by somebody who did not see that it is in the heap.
                if (entry.task == null) {
                    cancelledInHeap.incrementAndGet();
                }
            }
            taken = below;
            entry = below;
        }
    }

    private void sweep() {
        while (true) {
            int mayStay = Math.max(alwaysTolerated, heap.size() / 2);
            tolerated = mayStay;
            if (cancelledInHeap.get() <= mayStay) {
                return;
            }
            cancelledInHeap.set(0); // first, so that what is cancelled while the sweep goes on counts for the next one
            heap.removeIf(entry -> entry.task == null);
        }
    }

    private long earliest(long nanos) {
        Entry first = heap.peek();
        return first == null ? nanos : earlier(first.dueNanos, nanos);
    }

    private static long earlier(long a, long b) {
        return a - b < 0 ? a : b;
    }

    private void cancelledInHeap() {
        if (cancelledInHeap.incrementAndGet() > tolerated) {
            LockSupport.unpark(thread);
        }
    }

    // Logged, and not left to the thread's uncaught exception handler: the exception is caught, the thread goes on, and
    // programs
    // whose default handler ends the process do not mean this one. The JDK's logger adds no dependency and goes where
    // they want it.
    private static void report(String message, Throwable e) {
        try {
            System.getLogger("io.github.hedge4j.time.HedgeTimer").log(System.Logger.Level.ERROR, message, e);
        } catch (Throwable ignored) {
            // a logger that fails too leaves nothing to be done, and the thread has to live
        }
    }

    static Thread startThread(Runnable loop) {
        Thread thread = newThread(loop);
        thread.start();
        return thread;
    }

    /** A daemon that inherits nothing from the thread that happens to schedule first, nor its priority. */
    @SuppressWarnings("ThreadPriorityCheck")
    static Thread newThread(Runnable loop) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        Thread thread = new Thread(group, loop, "hedge-timer", 0, false);
        thread.setDaemon(true);
        thread.setPriority(Thread.NORM_PRIORITY);
        thread.setContextClassLoader(null);
        return thread;
    }

    /** How many entries the heap holds, live or cancelled. For the timer's thread only, or a test in its place. */
    int heapSize() {
        return heap.size();
    }

    @Override
    public String toString() {
        return "HedgeTimer.system()";
    }

    /** One scheduled task. */
    private static final class Entry implements Timeout {
        private final SystemTimer timer;
        private final long dueNanos;
        private volatile @Nullable Runnable task; // written by exchange only: null once it runs or is cancelled
        private volatile @Nullable Entry next; // written by who pushes, then by the timer's thread

        Entry(SystemTimer timer, Runnable task, long dueNanos) {
            this.timer = timer;
            this.dueNanos = dueNanos;
            TASK.set(this, task); // plain: the push publishes it
        }

        static int compareByDueTime(Entry a, Entry b) {
            return Long.signum(a.dueNanos - b.dueNanos);
        }

        @Override
        public boolean cancel() {
            if (TASK.getAndSet(this, null) == null) {
                return false;
            }
            if (next == this) {
                timer.cancelledInHeap();
            }
            return true;
        }

        void run() {
            Runnable due = (Runnable) TASK.getAndSet(this, null);
            if (due == null) {
                return;
            }
            try {
                due.run();
            } catch (Throwable e) {
                report("hedge timer: a task threw", e);
            }
            Thread.interrupted(); // what one task does to the thread is none of the next one's business
        }
    }
}
