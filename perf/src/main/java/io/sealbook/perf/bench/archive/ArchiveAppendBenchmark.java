package io.sealbook.perf.bench.archive;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * Appending to the archive beside what the disk gives. One operation is one block of 500 batches of 1.5 KB: appended
 * (checked, hashed, summed, written), or its bytes written raw after the last; with {@code DISK} forced each time.
 * After every 128 blocks all of them are read back and compared, and a new file begins.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class ArchiveAppendBenchmark {
    private static final int BLOCKS = 128;

    @Param({"PROCESS", "DISK"})
    public Durability durability;

    private final byte[][] chain = new byte[BLOCKS][];
    private Path directory;
    private BlockArchive archive;
    private FileChannel raw;
    private int appended;
    private int written;

    @Setup
    public void build() {
        BenchBlocks blocks = new BenchBlocks(500, 1_500);
        for (int i = 0; i < BLOCKS; i++) {
            chain[i] = blocks.next();
        }
    }

    @Setup(Level.Iteration)
    public void open() throws IOException {
        directory = BenchDirectory.create();
        openFiles();
    }

    private void openFiles() throws IOException {
        ArchiveConfig config = new ArchiveConfig(BenchBlocks.GENESIS_DIGEST, 4_096, durability);
        archive = BlockArchive.open(directory.resolve("archive"), config);
        raw = FileChannel.open(
                directory.resolve("raw"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        appended = 0;
        written = 0;
    }

    @Setup(Level.Invocation)
    public void beginAgainWhenAllAreThere() throws IOException {
        if (appended == BLOCKS || written == BLOCKS) {
            close();
            directory = BenchDirectory.create();
            openFiles();
        }
    }

    @Benchmark
    public long append() {
        archive.append(chain[appended++]);
        archive.sync();
        return archive.lastSequence();
    }

    @Benchmark
    public long writeRaw() throws IOException {
        ByteBuffer block = ByteBuffer.wrap(chain[written++]);
        while (block.hasRemaining()) {
            raw.write(block);
        }
        if (durability.isDisk()) {
            raw.force(false);
        }
        return written;
    }

    @TearDown(Level.Iteration)
    public void close() throws IOException {
        for (int i = 0; i < appended; i++) {
            check(i, archive.read(i + 1).orElseThrow());
        }
        long offset = 0;
        for (int i = 0; i < written; i++) {
            ByteBuffer block = ByteBuffer.allocate(chain[i].length);
            raw.read(block, offset);
            check(i, block.array());
            offset += chain[i].length;
        }
        archive.close();
        raw.close();
        BenchDirectory.delete(directory);
    }

    private void check(int index, byte[] found) {
        if (!Arrays.equals(chain[index], found)) {
            throw new IllegalStateException("block " + (index + 1) + " is not what was written");
        }
    }
}
