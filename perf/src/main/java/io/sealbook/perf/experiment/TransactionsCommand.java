package io.sealbook.perf.experiment;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What does a fixed number of transactions cost a client in assembly, encoding and signing, by scheme and signer? The
 * article on FISCO BCOS's Java SDK prints the same split for 500,000 transactions. A transaction is a batch here.
 *
 * <p>Refuted when the last batch of any thread does not verify.
 */
@Command(
        name = "transactions",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Assembles, encodes and signs a fixed number of batches, and times each phase.")
public final class TransactionsCommand implements Callable<Integer> {
    private static final double NS_PER_S = 1_000_000_000;
    private static final double NS_PER_MICRO = 1_000;
    private static final int TOGETHER_MAX = 1_024;

    @Option(names = "--transactions", defaultValue = "500000", description = "Batches of each row.")
    private int transactionCount;

    @Option(names = "--warm-up", defaultValue = "20000", description = "Batches before each row that do not count.")
    private int warmUpCount;

    @Option(names = "--orders", defaultValue = "10", description = "Orders in a batch.")
    private int orderCount;

    @Option(names = "--together", defaultValue = "16", description = "Batches in one call of the native signer.")
    private int together;

    @Option(names = "--threads", description = "Threads; by default one per core.")
    private int threadCount = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--signers",
            split = ",",
            defaultValue = "jni,bc",
            description = "Signers to measure: jni is native code, bc is Java.")
    private List<String> signers;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec command;

    private final PrintStream out = System.out;

    private record Row(SignatureScheme scheme, String signer, double transactionsPerSecond, SealingPhases.Times times) {
        /** Returns the mean of a phase per transaction, in microseconds of processor time. */
        private static double micros(long phaseNs, int count) {
            return phaseNs / NS_PER_MICRO / count;
        }

        ResultRow toResult(int count, int threads) {
            return ResultRow.of(scheme + ", " + signer)
                    .with(Figure.THREADS, threads)
                    .with(Figure.BATCHES_PER_SECOND, transactionsPerSecond)
                    .with(Figure.ASSEMBLY_MICROS, micros(times.assemblyNs(), count))
                    .with(Figure.ENCODING_MICROS, micros(times.encodingNs(), count))
                    .with(Figure.SIGNING_MICROS, micros(times.signingNs(), count));
        }

        String toLine(int count) {
            return String.format(
                    Locale.ROOT,
                    "%-40s%,14.0f%14.2f%14.2f%14.2f",
                    scheme + ", " + signer,
                    transactionsPerSecond,
                    micros(times.assemblyNs(), count),
                    micros(times.encodingNs(), count),
                    micros(times.signingNs(), count));
        }
    }

    @Override
    public Integer call() throws Exception {
        require("--transactions", transactionCount, threadCount, Integer.MAX_VALUE);
        require("--warm-up", warmUpCount, 0, Integer.MAX_VALUE);
        require("--together", together, 1, TOGETHER_MAX);
        out.printf(
                Locale.ROOT,
                "%,d batches of %d orders, %d threads; Java %s, %d cores%n%-40s%14s%14s%14s%14s%n",
                transactionCount,
                orderCount,
                threadCount,
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                "",
                "batches/s",
                "assembly µs",
                "encoding µs",
                "signing µs");
        List<Row> rows = new ArrayList<>();
        for (SignatureScheme scheme : List.of(SignatureScheme.SM2_SM3, SignatureScheme.ECDSA_SECP256K1_SHA256)) {
            SigningKey key = SigningKey.generate(scheme);
            for (String name : signers) {
                try {
                    Signer signer = Signers.named(name, key);
                    if (warmUpCount > 0) {
                        measure(name, signer, Math.max(warmUpCount, threadCount));
                    }
                    Row row = measure(name, signer, transactionCount);
                    rows.add(row);
                    out.println(row.toLine(transactionCount));
                } catch (IllegalArgumentException e) {
                    out.printf("%-40s  not measured: %s%n", scheme + ", " + name, e.getMessage());
                }
            }
        }
        resultFile.write(
                "A fixed number of transactions, by phase",
                Home.find(),
                List.of(
                        String.format(
                                Locale.ROOT,
                                "%,d batches of %d orders after %,d of warm-up; %d batches in each call of the signer.",
                                transactionCount,
                                orderCount,
                                warmUpCount,
                                together),
                        "Phases are processor time per batch. Encoding includes the hash that is the batch's id."),
                rows.stream()
                        .map(row -> row.toResult(transactionCount, threadCount))
                        .toList());
        return 0;
    }

    /** Deals the transactions to the threads and waits for all. */
    private Row measure(String name, Signer signer, int count) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(threadCount);
        try {
            List<SealingPhases> shares = new ArrayList<>();
            for (int i = 0; i < threadCount; i++) {
                int share = count / threadCount + (i < count % threadCount ? 1 : 0);
                shares.add(new SealingPhases(i, share, orderCount, together, signer));
            }
            long startNs = System.nanoTime();
            List<Future<SealingPhases.Times>> results = threads.invokeAll(shares);
            double tookS = (System.nanoTime() - startNs) / NS_PER_S;
            SealingPhases.Times times = new SealingPhases.Times(0, 0, 0);
            for (Future<SealingPhases.Times> result : results) {
                times = times.plus(result.get());
            }
            return new Row(signer.scheme(), name, count / tookS, times);
        } finally {
            threads.shutdown();
        }
    }

    private void require(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ParameterException(
                    command.commandLine(), option + " is " + value + ", expected " + min + ".." + max);
        }
    }
}
