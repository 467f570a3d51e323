package io.github.hedge4j.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.time.Duration;

/** How much heap a call takes while it is in flight, and leaves behind when it has ended: a program, for one subject. */
public final class HeapPerCall {

    /** Nothing is due while the program runs. */
    private static final Terms TERMS = new Terms(Duration.ofHours(1), false);

    private static final int ROUNDS = 3;

    private HeapPerCall() {}

    /**
     * The arguments are the subject and numbers of calls. Prints, for each number and round, that number and the heap in bytes that so
     * many calls take beyond their primaries: in flight, and after they have succeeded and been let go of.
     */
    public static void main(String[] args) {
        Calls<?> calls = Subject.valueOf(args[0]).open(TERMS);
        measure(calls, 1_000); // loads the classes
        for (int i = 1; i < args.length; i++) {
            int number = Integer.parseInt(args[i]);
            for (int round = 0; round < ROUNDS; round++) {
                long[] bytes = measure(calls, number);
                System.out.println(number + " " + bytes[0] + " " + bytes[1]);
            }
        }
    }

    private static long[] measure(Calls<?> calls, int number) {
        Calls<?>.InFlight inFlight = calls.inFlight(number);
        try {
            long before = usedBytes();
            inFlight.begin();
            long during = usedBytes();
            inFlight.end();
            return new long[] {during - before, usedBytes() - before};
        } finally {
            Reference.reachabilityFence(inFlight);
        }
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
