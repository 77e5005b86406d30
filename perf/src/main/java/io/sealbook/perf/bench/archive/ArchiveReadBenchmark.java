package io.sealbook.perf.bench.archive;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Reading by number. One operation is one small block (1 batch of 200 bytes) of random number out of a chain that lies
 * in the page cache; the time must not depend on the length of the chain. Each block read is compared by its number and
 * its CRC with what was appended.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC"})
public class ArchiveReadBenchmark {
    private static final int SEQUENCE_OFFSET = 8;

    @Param({"1000", "100000"})
    public int blocks;

    private Path directory;
    private BlockArchive archive;
    private int[] crcs;
    private long random = 1;

    @Setup
    public void append() throws IOException {
        directory = BenchDirectory.create();
        ArchiveConfig config = new ArchiveConfig(BenchBlocks.GENESIS_DIGEST, 4_096, Durability.PROCESS);
        archive = BlockArchive.open(directory, config);
        crcs = new int[blocks + 1];
        BenchBlocks chain = new BenchBlocks(1, 200);
        for (int sequence = 1; sequence <= blocks; sequence++) {
            byte[] block = chain.next();
            crcs[sequence] = crc(block);
            archive.append(block);
        }
    }

    @Benchmark
    public byte[] read() {
        random = random * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
        int sequence = 1 + (int) Long.remainderUnsigned(random >>> 16, blocks);
        byte[] block = archive.read(sequence).orElseThrow();
        long found = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getLong(SEQUENCE_OFFSET);
        if (found != sequence || crc(block) != crcs[sequence]) {
            throw new IllegalStateException("asked for block " + sequence + ", got " + found);
        }
        return block;
    }

    @TearDown
    public void close() throws IOException {
        archive.close();
        BenchDirectory.delete(directory);
    }

    private static int crc(byte[] block) {
        CRC32C crc = new CRC32C();
        crc.update(block);
        return (int) crc.getValue();
    }
}
