package io.sealbook.perf.bench.archive;

import io.sealbook.handoff.HandOffQueues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
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
 * The hand-off from node to engine. One operation appends one excerpt to the queue, opened as the node opens it, and
 * takes it off its tail: a block of 750 KB, or a message of 64 bytes. Every excerpt is numbered and compared byte for
 * byte.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-Xms512m",
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Dchronicle.analytics.disable=true"
        })
public class HandOffBenchmark {
    @Param({"64", "750000"})
    public int excerptBytes;

    private Path directory;
    private ChronicleQueue queue;
    private ExcerptAppender appender;
    private ExcerptTailer tailer;
    private byte[] message;
    private ByteBuffer numbered;
    private Bytes<byte[]> received;
    private long number;

    @Setup(Level.Iteration)
    public void open() throws IOException {
        directory = BenchDirectory.create();
        queue = HandOffQueues.openForWriting(directory);
        appender = queue.createAppender();
        tailer = queue.createTailer();
        message = new byte[excerptBytes];
        new Random(1).nextBytes(message);
        numbered = ByteBuffer.wrap(message);
        received = Bytes.allocateElasticOnHeap(excerptBytes);
        number = 0;
    }

    @Benchmark
    public long appendAndTail() {
        numbered.putLong(0, ++number);
        appender.writeBytes(bytes -> bytes.write(message));
        received.clear();
        boolean isThere = tailer.readBytes(received);
        int length = (int) received.readRemaining();
        if (!isThere
                || length != excerptBytes
                || !Arrays.equals(message, 0, length, received.underlyingObject(), 0, length)) {
            throw new IllegalStateException("excerpt " + number + " is not what was appended");
        }
        return number;
    }

    @TearDown(Level.Iteration)
    public void close() throws IOException {
        appender.close();
        tailer.close();
        queue.close();
        received.releaseLast();
        BenchDirectory.delete(directory);
    }
}
