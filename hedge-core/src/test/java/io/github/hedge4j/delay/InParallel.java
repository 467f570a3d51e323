package io.github.hedge4j.delay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;

/** The same job on several threads that start together. */
final class InParallel {
    interface Job {
        void run(int thread) throws Exception;
    }

    private InParallel() {}

    static void run(int threads, Job job) throws InterruptedException {
        var start = new CyclicBarrier(threads);
        var failures = new ConcurrentLinkedQueue<Throwable>();
        var running = new ArrayList<Thread>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            var thread = new Thread(() -> {
                try {
                    start.await();
                    job.run(number);
                } catch (Throwable failure) {
                    failures.add(failure);
                }
            });
            running.add(thread);
            thread.start();
        }
        for (var thread : running) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }
}
