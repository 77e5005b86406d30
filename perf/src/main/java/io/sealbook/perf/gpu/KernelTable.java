package io.sealbook.perf.gpu;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.gpu.GpuProvider;
import io.sealbook.gpu.GpuSettings;
import io.sealbook.gpu.KernelTimer;
import io.sealbook.gpu.KernelTimer.Kernel;
import java.io.PrintStream;
import java.util.Collections;
import java.util.Locale;

/** Measures the kernels of a device over sizes, blocks, lanes and windows, and prints a table. */
final class KernelTable {
    private static final int MULTIPLICATIONS = 512;

    private final PrintStream out;
    private final GpuOptions options;
    private final SignedVectors vectors;

    KernelTable(PrintStream out, GpuOptions options, SignedVectors vectors) {
        this.out = out;
        this.options = options;
        this.vectors = vectors;
    }

    /**
     * Prints the table of one pair of windows.
     *
     * @param window widths in bits, generator:keys
     * @throws IllegalStateException if a verdict is wrong
     */
    void print(String window) {
        GpuSettings settings = GpuSettings.of(options.settings(window, 1, 1).of(GpuProvider.NAME));
        try (KernelTimer timer = new KernelTimer(settings, vectors.keys())) {
            out.printf("### tables of %s bits (generator:keys)%n%n", window);
            double rate = timer.multiplicationsPerSecond(Collections.max(options.sizes), MULTIPLICATIONS);
            out.printf(Locale.ROOT, "field multiplications: %.1f G/s%n%n", rate / 1e9);
            printHead();
            for (Kernel kernel : Kernel.values()) {
                for (int size : options.sizes) {
                    for (int block : options.blocks) {
                        out.println(row(timer, kernel, size, block));
                    }
                }
            }
            out.println();
        }
    }

    private void printHead() {
        StringBuilder heads = new StringBuilder("| kernel | size | block | without copies, M/s |");
        StringBuilder line = new StringBuilder("|---|---|---|---|");
        for (int lanes : options.lanes) {
            heads.append(" copies, ").append(lanes).append(lanes == 1 ? " lane |" : " lanes |");
            line.append("---|");
        }
        out.println(heads);
        out.println(line);
    }

    private String row(KernelTimer timer, Kernel kernel, int size, int block) {
        SignatureBatch batch = vectors.batch(0, Math.min(Math.min(size, vectors.count()), SignatureBatch.CAPACITY_MAX));
        String name = kernel == Kernel.KNOWN_KEYS ? "known keys" : "any keys";
        double alone = checked(timer.withoutCopies(kernel, batch, size, block, options.millis), batch);
        StringBuilder row = new StringBuilder(
                String.format(Locale.ROOT, "| %s | %d | %d | %.3f |", name, size, block, alone / 1e6));
        for (int lanes : options.lanes) {
            double rate = checked(timer.withCopies(kernel, batch, size, block, lanes, options.millis), batch);
            row.append(String.format(Locale.ROOT, " %.3f |", rate / 1e6));
        }
        return row.toString();
    }

    private double checked(double rate, SignatureBatch batch) {
        int wrongCount = vectors.wrongCount(batch, 0);
        if (wrongCount > 0) {
            throw new IllegalStateException(wrongCount + " of " + batch.size() + " verdicts of the device are wrong");
        }
        return rate;
    }
}
