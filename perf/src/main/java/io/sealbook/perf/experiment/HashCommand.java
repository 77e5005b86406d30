package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultFile;
import io.sealbook.perf.results.ResultRow;
import java.io.PrintStream;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.HdrHistogram.Histogram;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.params.KeyParameter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * How long does one hash or one authentication code of a message take in software, and with the processor's SHA
 * instructions, which Java's own provider uses where there are some? Figure 4 of the paper on in-network computing
 * compares software with an accelerator on the network card in the same way.
 *
 * <p>Each call is timed alone. Refuted when the two implementations give different bytes.
 */
@Command(
        name = "hash",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Measures the latency of SHA-256 and HMAC-SHA-256 by message size, software beside instructions.")
public final class HashCommand implements Callable<Integer> {
    private static final String KEY_ALGORITHM = "HmacSHA256";
    private static final byte[] KEY = new byte[32];
    private static final int SIZE_MAX = 16 << 20;
    private static final long HIGHEST_NS = 10_000_000_000L;
    private static final double NS_PER_MICRO = 1_000;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "64,256,1024,4096,16384,65536",
            description = "Bytes of a message, 1 to " + SIZE_MAX + ".")
    private List<Integer> sizes;

    @Option(
            names = "--calls",
            defaultValue = "20000",
            description = "Timed calls of each size, after as many that are not.")
    private int calls;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the messages.")
    private long seed;

    @Mixin
    private ResultFile resultFile;

    @Spec
    private CommandSpec command;

    private final PrintStream out = System.out;

    /** A function of a message, by two implementations. */
    private enum Function {
        HASH("SHA-256", HashCommand::softwareHash, HashCommand::javaHash),
        CODE("HMAC-SHA-256", HashCommand::softwareCode, HashCommand::javaCode);

        private final String label;
        private final UnaryOperator<byte[]> software;
        private final UnaryOperator<byte[]> instructions;

        Function(String label, UnaryOperator<byte[]> software, UnaryOperator<byte[]> instructions) {
            this.label = label;
            this.software = software;
            this.instructions = instructions;
        }
    }

    @Override
    public Integer call() throws Exception {
        for (int size : sizes) {
            if (size < 1 || size > SIZE_MAX) {
                throw new ParameterException(
                        command.commandLine(), "--sizes has " + size + ", expected 1.." + SIZE_MAX);
            }
        }
        out.printf("%-14s%10s%30s%30s%8s%n", "", "bytes", "software p50 / p99 µs", "Java's own p50 / p99 µs", "ratio");
        List<ResultRow> rows = new ArrayList<>();
        for (Function function : Function.values()) {
            for (int size : sizes) {
                measure(rows, function, size);
            }
        }
        resultFile.write(
                "Latency of a hash",
                Home.find(),
                List.of(
                        "One thread; each call is timed alone, " + calls + " calls after as many that are not timed.",
                        "Software is Bouncy Castle's Java code. Java's own provider uses the processor's SHA"
                                + " instructions, or vector code where there are none."),
                rows);
        return 0;
    }

    private void measure(List<ResultRow> rows, Function function, int size) {
        byte[] message = new byte[size];
        new Random(seed).nextBytes(message);
        if (!Arrays.equals(function.software.apply(message), function.instructions.apply(message))) {
            throw new IllegalStateException(function.label + " of " + size + " bytes differs between implementations");
        }
        Histogram software = time(function.software, message);
        Histogram instructions = time(function.instructions, message);
        double ratio = (double) software.getValueAtPercentile(50) / Math.max(1, instructions.getValueAtPercentile(50));
        out.printf(
                Locale.ROOT,
                "%-14s%,10d%18.2f / %9.2f%18.2f / %9.2f%8.1f%n",
                function.label,
                size,
                micros(software, 50),
                micros(software, 99),
                micros(instructions, 50),
                micros(instructions, 99),
                ratio);
        rows.add(row(function, size, "software", software));
        rows.add(row(function, size, "Java's own", instructions).with(Figure.RATIO, ratio));
    }

    private static ResultRow row(Function function, int size, String implementation, Histogram latencies) {
        return ResultRow.of(function.label + ", " + implementation)
                .with(Figure.MESSAGE_BYTES, size)
                .with(Figure.P50_MICROS, micros(latencies, 50))
                .with(Figure.P99_MICROS, micros(latencies, 99));
    }

    private Histogram time(UnaryOperator<byte[]> function, byte[] message) {
        Histogram latencies = new Histogram(HIGHEST_NS, 3);
        int sum = 0; // Keeps each result in use.
        for (int i = 0; i < 2 * calls; i++) {
            long startNs = System.nanoTime();
            sum += function.apply(message)[0];
            long tookNs = System.nanoTime() - startNs;
            if (i >= calls) {
                latencies.recordValue(Math.min(tookNs, HIGHEST_NS));
            }
            message[0] = (byte) sum;
        }
        return latencies;
    }

    private static double micros(Histogram latencies, double percentile) {
        return latencies.getValueAtPercentile(percentile) / NS_PER_MICRO;
    }

    private static byte[] softwareHash(byte[] message) {
        SHA256Digest digest = new SHA256Digest();
        digest.update(message, 0, message.length);
        byte[] hash = new byte[digest.getDigestSize()];
        digest.doFinal(hash, 0);
        return hash;
    }

    private static byte[] softwareCode(byte[] message) {
        HMac mac = new HMac(new SHA256Digest());
        mac.init(new KeyParameter(KEY));
        mac.update(message, 0, message.length);
        byte[] code = new byte[mac.getMacSize()];
        mac.doFinal(code, 0);
        return code;
    }

    private static byte[] javaHash(byte[] message) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static byte[] javaCode(byte[] message) {
        try {
            Mac mac = Mac.getInstance(KEY_ALGORITHM);
            mac.init(new SecretKeySpec(KEY, KEY_ALGORITHM));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + KEY_ALGORITHM, e);
        }
    }
}
