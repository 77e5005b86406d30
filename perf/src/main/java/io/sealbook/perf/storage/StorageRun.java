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
        long windowNs = 0;
        long inWindow = 0;
        while (count < countMax && appendNs < limitNs) {
            List<byte[]> prepared = prepare((int) Math.min(PREPARED, countMax - count));
            long startNs = System.nanoTime();
            for (byte[] block : prepared) {
                store.append(++count, block);
            }
            long tookNs = System.nanoTime() - startNs;
            appendNs += tookNs;
            windowNs += tookNs;
            inWindow += prepared.size();
            if (windowNs >= WINDOW_NS) {
                blocksPerSecond.add(perSecond(inWindow, windowNs));
                windowNs = 0;
                inWindow = 0;
            }
        }
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

    /** Returns the rate over all appends. */
    double appendedPerSecond() {
        return perSecond(count, appendNs);
    }

    /** Returns mebibytes per second over all appends. */
    double mebibytesPerSecond() {
        return perSecond(bytes, appendNs) / (1 << 20);
    }

    /** Returns the rate of each second of appending, in order. */
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
