package io.sealbook.perf.gpu;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Measures a verifier from Java: prepared batches from several threads, everything counted that a call costs. */
final class VerifierRate {
    private static final double NS_PER_SECOND = 1e9;

    private final SignedVectors vectors;
    private final int millis;

    /**
     * Prepares a measurement.
     *
     * @param vectors signatures of all batches
     * @param millis length of a measurement
     */
    VerifierRate(SignedVectors vectors, int millis) {
        this.vectors = vectors;
        this.millis = millis;
    }

    /**
     * Returns verifications per second.
     *
     * @param verifier thread-safe
     * @param threadCount threads that call it
     * @param batchSize signatures per call
     * @throws IllegalStateException if a verdict is wrong, or another provider took over
     */
    double measure(SignatureVerifier verifier, int threadCount, int batchSize)
            throws InterruptedException, ExecutionException {
        String provider = verifier.provider();
        int size = Math.min(batchSize, vectors.count());
        List<Callable<Long>> callers = new ArrayList<>();
        for (int thread = 0; thread < threadCount; thread++) {
            int first = thread * size;
            SignatureBatch batch = vectors.batch(first, size);
            verifier.verify(batch);
            callers.add(() -> verifyUntilTheEnd(verifier, batch, first));
        }
        ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            long beganNs = System.nanoTime();
            long verifiedCount = 0;
            for (Future<Long> caller : threads.invokeAll(callers)) {
                verifiedCount += caller.get();
            }
            double seconds = (System.nanoTime() - beganNs) / NS_PER_SECOND;
            if (!verifier.provider().equals(provider)) {
                throw new IllegalStateException(verifier.provider() + " took over from " + provider);
            }
            return verifiedCount / seconds;
        } finally {
            threads.shutdown();
        }
    }

    private long verifyUntilTheEnd(SignatureVerifier verifier, SignatureBatch batch, int first) {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long verifiedCount = 0;
        do {
            verifier.verify(batch);
            verifiedCount += batch.size();
        } while (System.nanoTime() - deadlineNs < 0);
        int wrongCount = vectors.wrongCount(batch, first);
        if (wrongCount > 0) {
            throw new IllegalStateException(
                    wrongCount + " of " + batch.size() + " verdicts of " + verifier.provider() + " are wrong");
        }
        return verifiedCount;
    }
}
