package io.sealbook.perf.experiment;

import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSealer;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BatchPosition;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How many batches of ten orders per second does a client build and sign, and what does each improvement give: the
 * recovery byte computed instead of searched for, a number for each batch drawn from ThreadLocalRandom instead of a
 * shared SecureRandom, signatures in native code (and numbers counted up, as sessions do now), several at a time?
 *
 * <p>Closed loop: every thread seals one batch after another. Refuted when a searched recovery byte is not the computed
 * one, or the last batch of any thread does not verify.
 */
@Command(
        name = "signing",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures what a client's build-and-sign gains from each improvement, by scheme and threads.")
public final class SigningCommand implements Callable<Integer> {
    private static final long CHAIN_ID = 1;
    private static final int TOGETHER = 16;
    private static final long NS_PER_S = 1_000_000_000L;

    @Option(names = "--orders", defaultValue = "10", description = "Orders in a batch.")
    private int orderCount;

    @Option(names = "--seconds", defaultValue = "2", description = "Length of each measurement.")
    private double seconds;

    @Option(names = "--warm-up", defaultValue = "1", description = "Seconds before each measurement that do not count.")
    private double warmUpSeconds;

    @Option(
            names = "--threads",
            split = ",",
            description = "Threads of each measurement (default: 1, 2, cores, 4 x cores).")
    private List<Integer> threadCounts;

    @Mixin
    private ResultFile resultFile;

    private final PrintStream out = System.out;
    private final SecureRandom secureRandom = new SecureRandom();

    /** How a batch is sealed; each step keeps the gains of the one before. */
    private enum Step {
        SEARCHED("recovery byte searched, SecureRandom", "bc"),
        COMPUTED("recovery byte computed, SecureRandom", "bc"),
        THREAD_LOCAL("ThreadLocalRandom", "bc"),
        NATIVE("native signer, numbers counted up", "jni"),
        TOGETHER("native signer, " + SigningCommand.TOGETHER + " together", "jni");

        private final String text;
        private final String provider;

        Step(String text, String provider) {
            this.text = text;
            this.provider = provider;
        }
    }

    private record Row(String scheme, String step, int threads, double batchesPerSecond) {
        ResultRow toResult() {
            return ResultRow.of(scheme + ", " + step)
                    .with(Figure.THREADS, threads)
                    .with(Figure.BATCHES_PER_SECOND, batchesPerSecond);
        }
    }

    /** Seals batches until it must stop; returns the number that it sealed while it counted. */
    private final class Worker implements Callable<Long> {
        private final Step step;
        private final Signer signer;
        private final BatchSealer sealer;
        private final List<Order> orders;
        private final AtomicBoolean isCounting;
        private final AtomicBoolean isEnded;
        private final CountDownLatch withoutCount;

        /** @param withoutCount counts down when this worker has counted its first batch */
        Worker(Step step, Signer signer, AtomicBoolean isCounting, AtomicBoolean isEnded, CountDownLatch withoutCount) {
            this.step = step;
            this.signer = signer;
            this.sealer = new BatchSealer(CHAIN_ID, 1, 1, signer, orderCount, BatchPosition.first(0));
            this.orders = orders();
            this.isCounting = isCounting;
            this.isEnded = isEnded;
            this.withoutCount = withoutCount;
        }

        @Override
        public Long call() {
            LongSupplier numbers = step == Step.THREAD_LOCAL
                    ? () -> ThreadLocalRandom.current().nextLong()
                    : secureRandom::nextLong;
            List<List<Order>> batches = Collections.nCopies(TOGETHER, orders);
            long count = 0;
            SealedBatch last = null;
            while (!isEnded.get()) {
                boolean isCounted = isCounting.get();
                int sealedCount = 1;
                if (step == Step.TOGETHER) {
                    List<SealedBatch> sealed = sealer.sealAll(batches, 1_000, count);
                    last = sealed.get(TOGETHER - 1);
                    sealedCount = TOGETHER;
                } else if (step == Step.NATIVE) {
                    last = sealer.seal(orders, 1_000, count);
                } else {
                    // The drawn number goes where it decides nothing; only the cost of drawing it counts.
                    last = sealer.seal(orders, 1_000, numbers.getAsLong());
                }
                if (isCounted) {
                    if (count == 0) {
                        withoutCount.countDown();
                    }
                    count += sealedCount;
                }
            }
            check(last);
            return count;
        }

        private void check(SealedBatch sealed) {
            if (!SealCheck.verifies(signer.verificationKey(), CHAIN_ID, sealed)) {
                throw new IllegalStateException("the last batch of a thread does not verify: " + step.text);
            }
        }
    }

    @Override
    public Integer call() throws Exception {
        List<Integer> threads = threadCounts != null ? threadCounts : defaultThreadCounts();
        out.printf(
                "Batches of %d orders, per second; Java %s, %d cores; each %.1f s after %.1f s%n",
                orderCount, Runtime.version(), Runtime.getRuntime().availableProcessors(), seconds, warmUpSeconds);
        List<Row> rows = new ArrayList<>();
        for (SignatureScheme scheme : List.of(SignatureScheme.ECDSA_SECP256K1_SHA256, SignatureScheme.SM2_SM3)) {
            SigningKey key = SigningKey.generate(scheme);
            out.printf("%n%-42s%s%n", scheme, header(threads));
            for (Step step : Step.values()) {
                if (scheme == SignatureScheme.SM2_SM3 && step == Step.SEARCHED) {
                    continue;
                }
                Signer signer;
                try {
                    signer = Signers.named(step.provider, key);
                } catch (IllegalArgumentException e) {
                    out.printf("%-42s  not measured: %s%n", step.text, e.getMessage());
                    continue;
                }
                measureRow(rows, scheme, step, step == Step.SEARCHED ? new SearchingSigner(signer) : signer, threads);
            }
        }
        out.printf("%nThe article on FISCO BCOS's Java SDK, 8 cores, secp256k1: 1,504 transactions per second on one%n"
                + "thread and 8,498 on many before its changes, 30,062 after.%n");
        if (resultFile.isWanted()) {
            resultFile.write(
                    "Batches that a client builds and signs",
                    Home.find(),
                    List.of("Batches of " + orderCount
                            + " orders; each step keeps the gains of the one before; " + seconds + " s after "
                            + warmUpSeconds + " s of warm-up."),
                    rows.stream().map(Row::toResult).toList());
        }
        return 0;
    }

    private void measureRow(List<Row> rows, SignatureScheme scheme, Step step, Signer signer, List<Integer> threads)
            throws Exception {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-42s", step.text));
        for (int threadCount : threads) {
            double rate = measure(step, signer, threadCount);
            rows.add(new Row(scheme.name(), step.text, threadCount, rate));
            line.append(String.format(Locale.ROOT, "%,14.0f", rate));
        }
        out.println(line);
    }

    /** Returns batches per second of all threads together. */
    private double measure(Step step, Signer signer, int threadCount) throws Exception {
        AtomicBoolean isCounting = new AtomicBoolean();
        AtomicBoolean isEnded = new AtomicBoolean();
        CountDownLatch withoutCount = new CountDownLatch(threadCount);
        ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < threadCount; i++) {
                counts.add(threads.submit(new Worker(step, signer, isCounting, isEnded, withoutCount)));
            }
            sleep(warmUpSeconds);
            long startNs = System.nanoTime();
            isCounting.set(true);
            sleep(seconds);
            awaitFirstCounts(withoutCount, counts);
            isCounting.set(false);
            double tookS = (double) (System.nanoTime() - startNs) / NS_PER_S;
            isEnded.set(true);
            long count = 0;
            for (Future<Long> future : counts) {
                count += future.get();
            }
            return count / tookS;
        } finally {
            isEnded.set(true);
            threads.shutdown();
        }
    }

    /** On a busy machine a short measurement goes on until each thread has counted, so that no rate is of nothing. */
    private static void awaitFirstCounts(CountDownLatch withoutCount, List<Future<Long>> workers)
            throws InterruptedException {
        while (!withoutCount.await(10, TimeUnit.MILLISECONDS)
                && workers.stream().noneMatch(Future::isDone)) {
            // A worker that has failed ends the wait; its failure is thrown when its count is asked for.
        }
    }

    private List<Order> orders() {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < orderCount; i++) {
            orders.add(Order.limit(i + 1, 1, 1, i % 2 == 0 ? Side.BUY : Side.SELL, 10_000 + i, 100));
        }
        return orders;
    }

    private static List<Integer> defaultThreadCounts() {
        int cores = Runtime.getRuntime().availableProcessors();
        return List.of(1, 2, cores, 4 * cores).stream().distinct().sorted().toList();
    }

    private static String header(List<Integer> threads) {
        StringBuilder header = new StringBuilder();
        for (int count : threads) {
            header.append(String.format(Locale.ROOT, "%14s", count + (count == 1 ? " thread" : " threads")));
        }
        return header.toString();
    }

    private static void sleep(double durationSeconds) throws InterruptedException {
        Thread.sleep((long) (durationSeconds * 1000));
    }
}
