package io.github.hedge4j.budget;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Small numbers, so that empty, full and the way between them all occur within a few operations. */
@Tag("lincheck")
class RatioBalanceLincheckTest {

    @Test
    void everyModelledInterleavingIsThatOfAPlainBucket() {
        new ModelCheckingOptions()
                .sequentialSpecification(HalfRatioBucket.class)
                .iterations(10)
                .invocationsPerIteration(1_000)
                .threads(3)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(3)
                .check(HalfRatio.class);
    }

    @Test
    void everyInterleavingUnderStressIsThatOfAPlainBucket() {
        new StressOptions()
                .sequentialSpecification(HalfRatioBucket.class)
                .iterations(10)
                .invocationsPerIteration(2_000)
                .threads(3)
                .actorsBefore(2)
                .actorsPerThread(3)
                .actorsAfter(3)
                .check(HalfRatio.class);
    }

    /** The operations on the real one. Public for Lincheck, as is the specification. */
    public static class HalfRatio {

        // two stripes for three threads, so that some share one
        private final RatioBalance balance = new RatioBalance(0.5, 2, 0, 0, new StripedCount(2));

        @Operation
        public boolean tryTake() {
            return balance.tryTake(0);
        }

        @Operation
        public void credit() {
            balance.credit();
        }

        @Operation
        public void giveBack() {
            balance.giveBack();
        }

        @Operation
        public double available() {
            return balance.available(0);
        }
    }

    public static class HalfRatioBucket {

        private final TextbookBucket bucket = new TextbookBucket(500_000_000, 2, 0, 0);

        public boolean tryTake() {
            return bucket.tryTake(0);
        }

        public void credit() {
            bucket.credit();
        }

        public void giveBack() {
            bucket.giveBack();
        }

        public double available() {
            return bucket.available(0);
        }
    }
}
