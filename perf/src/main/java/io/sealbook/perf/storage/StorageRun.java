package io.sealbook.perf.storage;

import io.sealbook.archive.Block;
import io.sealbook.perf.bench.archive.BenchBlocks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.HdrHistogram.Histogram;

/**
 * Fills one store and reads it again. Blocks are made before the clock runs; each read is compared with what was
 * written. One thread.
 */
final class StorageRun {
    private static final int PREPARED = 256;
    private static final long SEED = 7;
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long WINDOW_NS = TimeUnit.SECONDS.toNanos(1);

    private final BlockStore store;
    private final BenchBlocks blocks;
    private final Checksums checksums = new Checksums();
    private final List<Double> blocksPerSecond = new ArrayList<>();
    private long count;
    private long bytes;
    private long appendNs;
    /** What was there when the interval began; 0 unless {@link #beginInterval} was called. */
    private long countBefore;

    private long bytesBefore;
    private long appendNsBefore;
    private long windowNs;
    private long inWindow;

    /**
     * @param store empty; stays the caller's
     * @param blocks made one after another
     */
    StorageRun(BlockStore store, BenchBlocks blocks) {
        this.store = store;
        this.blocks = blocks;
    }

    /** What reads took, in nanoseconds. */
    record Reads(double p50Ns, double p99Ns) {}

    /**
     * Appends until there is a number of blocks, or for a time.
     *
     * @param countMax blocks that are in the store then, at most
     * @param limitNs nanoseconds that appending takes, at most
     */
    void append(long countMax, long limitNs) throws IOException {
        while (count < countMax && appendNs < limitNs) {
            append((int) Math.min(PREPARED, countMax - count));
        }
    }

    /**
     * Appends for a time, at an even rate.
     *
     * @param durationNs nanoseconds by the clock, pauses included
     * @param blocksPerSecondMax blocks per second, at most; 0 appends as fast as the store takes them
     */
    void appendFor(long durationNs, long blocksPerSecondMax) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        long before = count;
        int size = blocksPerSecondMax == 0 ? PREPARED : (int) Math.clamp(blocksPerSecondMax / 10, 1, PREPARED);
        for (long nowNs = startNs; nowNs - startNs < durationNs; nowNs = System.nanoTime()) {
            long dueNs = blocksPerSecondMax == 0
                    ? 0
                    : (long) ((count - before) * (double) TimeUnit.SECONDS.toNanos(1) / blocksPerSecondMax);
            long waitNs = Math.min(dueNs, durationNs) - (nowNs - startNs);
            if (waitNs > 0) {
                TimeUnit.NANOSECONDS.sleep(waitNs);
            } else {
                append(size);
            }
        }
    }

    private void append(int size) throws IOException {
        List<byte[]> prepared = prepare(size);
        long startNs = System.nanoTime();
        for (byte[] block : prepared) {
            store.append(++count, block);
        }
        long tookNs = System.nanoTime() - startNs;
        appendNs += tookNs;
        windowNs += tookNs;
        inWindow += size;
        if (windowNs >= WINDOW_NS) {
            blocksPerSecond.add(perSecond(inWindow, windowNs));
            windowNs = 0;
            inWindow = 0;
        }
    }

    /** Lets the rates count from now on. */
    void beginInterval() {
        countBefore = count;
        bytesBefore = bytes;
        appendNsBefore = appendNs;
        blocksPerSecond.clear();
        windowNs = 0;
        inWindow = 0;
    }

    private List<byte[]> prepare(int size) {
        List<byte[]> prepared = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            byte[] block = blocks.next();
            prepared.add(block);
            bytes += block.length;
            checksums.add(crc(block));
        }
        return prepared;
    }

    /**
     * Reads blocks at random places.
     *
     * @param reads number of them
     * @throws IOException if a block is not the one that was written
     */
    Reads read(int reads) throws IOException {
        Random random = new Random(SEED);
        Histogram took = new Histogram(HIGHEST_NS, 3);
        for (int i = 0; i < reads; i++) {
            long sequence = 1 + random.nextLong(count);
            long startNs = System.nanoTime();
            byte[] block = store.read(sequence);
            took.recordValue(Math.min(HIGHEST_NS, System.nanoTime() - startNs));
            if (block == null
                    || crc(block) != checksums.of(sequence)
                    || Block.wrap(block).header().sequence() != sequence) {
                throw new IOException("block " + sequence + " is not what was written");
            }
        }
        return new Reads(took.getValueAtPercentile(50), took.getValueAtPercentile(99));
    }

    long count() {
        return count;
    }

    /** Returns the rate over all appends of the interval. */
    double appendedPerSecond() {
        return perSecond(count - countBefore, appendNs - appendNsBefore);
    }

    /** Returns mebibytes per second over all appends of the interval. */
    double mebibytesPerSecond() {
        return perSecond(bytes - bytesBefore, appendNs - appendNsBefore) / (1 << 20);
    }

    /** Returns the rate of each second of appending of the interval, in order. */
    List<Double> blocksPerSecond() {
        return List.copyOf(blocksPerSecond);
    }

    private static double perSecond(long events, long ns) {
        return events * (double) TimeUnit.SECONDS.toNanos(1) / Math.max(1, ns);
    }

    private static int crc(byte[] block) {
        CRC32C crc = new CRC32C();
        crc.update(block);
        return (int) crc.getValue();
    }

    /** A checksum for each block, four bytes each. */
    private static final class Checksums {
        private int[] values = new int[1 << 10];
        private int size;

        void add(int value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        int of(long sequence) {
            return values[(int) (sequence - 1)];
        }
    }
}
