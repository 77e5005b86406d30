package io.sealbook.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import io.sealbook.vocabulary.Digest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reader and writer open the queue each for itself, as processes do. */
@Timeout(300)
class QueueWatchTest {
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final long SHORT_NS = 10_000_000;
    private static final long POLL_NS = 1;
    private static final int EXCERPTS = 200;

    @TempDir
    Path queue;

    private Reader reader;
    private HandOffWriter<BlockResult> writer;

    @BeforeEach
    void openWriter() {
        writer = HandOffWriter.ofResults(queue);
    }

    @AfterEach
    void closeBothSides() throws Exception {
        if (reader != null) {
            reader.close();
        }
        writer.close();
    }

    /** Both processes begin with a queue, and one of them has got no further than the length of the file. */
    @Test
    void shouldLeaveWhatTheOtherSideHasWritten(@TempDir Path begun) throws Exception {
        byte[] written = {1, 0, 0, 0, 2, 3, 0, 0};
        Path file = Files.write(begun.resolve("wake-up"), written);

        WakeUpFile.open(begun).close();

        assertThat(Files.readAllBytes(file)).startsWith(written).hasSize(16);
    }

    @Test
    void shouldWakeAReaderThatSleepsForAnHour() throws Exception {
        reader = new Reader(queue, HOUR_NS);
        for (int block = 1; block <= EXCERPTS; block++) {
            reader.awaitSleep();
            writer.append(result(block));

            reader.awaitBlock(block);
        }
    }

    @Test
    void shouldLoseNoExcerptThatComesWhileTheReaderGoesToSleep() throws Exception {
        reader = new Reader(queue, HOUR_NS);
        for (int block = 1; block <= EXCERPTS; block++) {
            writer.append(result(block));

            reader.awaitBlock(block);
        }
    }

    @Test
    void shouldLeaveAReaderAloneThatIsAwake() throws Exception {
        try (WakeUpFile file = WakeUpFile.open(queue);
                DatagramChannel signals = DatagramChannel.open()) {
            signals.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            signals.configureBlocking(false);
            file.publishPort(signals.socket().getLocalPort());
            writer.append(result(1));
            assertThat(signals.receive(ByteBuffer.allocate(1))).isNull();

            file.announceSleep();
            writer.append(result(2));
            writer.append(result(3));
            Facts.await("one signal", () -> signals.receive(ByteBuffer.allocate(1)) != null);
            assertThat(signals.receive(ByteBuffer.allocate(1))).isNull();
        }
    }

    @Test
    void shouldOnlyLookWhenAStrangerSendsSomething() throws Exception {
        reader = new Reader(queue, HOUR_NS);
        reader.awaitSleep();
        long sleeps = reader.sleeps.get();
        int port = ByteBuffer.wrap(Files.readAllBytes(queue.resolve("wake-up")))
                .order(ByteOrder.nativeOrder())
                .getInt(4);
        try (DatagramChannel stranger = DatagramChannel.open()) {
            stranger.send(ByteBuffer.allocate(1_000), new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }

        Facts.await("a reader that has looked and sleeps again", () -> reader.sleeps.get() > sleeps);
        writer.append(result(1));
        reader.awaitBlock(1);
    }

    @Test
    void shouldPollWhileTheWriterDoesNotSignalAndSleepAgainOnceItDoes() throws Exception {
        writer.append(result(1));
        reader = new Reader(queue, SHORT_NS);
        long block = 2;
        try (ChronicleQueue silent = HandOffQueues.openForReading(queue);
                ExcerptAppender appender = silent.createAppender()) {
            while (reader.sleepNs != POLL_NS) {
                // One that the reader finds before it sleeps requires no signal.
                BlockResult next = result(block);
                appender.writeBytes(bytes -> bytes.write(next.encode()));
                reader.awaitBlock(block++);
                reader.awaitAnySleep();
            }
        }

        while (reader.sleepNs == POLL_NS) {
            // A signal counts if it comes before the reader has found the block by itself.
            reader.pause();
            writer.append(result(block));
            reader.goOn();
            reader.awaitBlock(block++);
        }
    }

    private static BlockResult result(long block) {
        return new BlockResult(block, Digest.ZERO, 1, 1, 0);
    }

    /** A thread that reads the queue as an engine or a node does. */
    private static final class Reader implements AutoCloseable {
        private final HandOffReader<BlockResult> excerpts;
        private final QueueWatch watch;
        private final Thread thread = new Thread(this::run);
        private final AtomicLong sleeps = new AtomicLong();
        private final AtomicLong lastBlock = new AtomicLong();
        private volatile boolean isClosed;
        private volatile boolean isPaused;
        private final long sleepMaxNs;
        volatile long sleepNs;
        /** Length of the sleep that it is in, or goes to; 0 while it is awake. */
        volatile long asleepNs;

        Reader(Path queue, long sleepMaxNs) {
            this.sleepMaxNs = sleepMaxNs;
            excerpts = HandOffReader.ofResults(queue);
            watch = QueueWatch.open(queue, sleepMaxNs);
            thread.start();
        }

        private void run() {
            while (!isClosed) {
                var next = excerpts.read();
                if (next.isPresent()) {
                    lastBlock.set(next.get().sequence());
                    watch.onFound();
                } else if (watch.maySleep()) {
                    sleepNs = watch.sleepNs(POLL_NS);
                    sleeps.incrementAndGet();
                    asleepNs = isPaused ? HOUR_NS : sleepNs;
                    watch.await(asleepNs);
                    asleepNs = 0;
                }
            }
        }

        /** Returns when the reader sleeps after it has found what there was. */
        void awaitAnySleep() throws Exception {
            long before = sleeps.get();
            Facts.await("a reader that sleeps", () -> sleeps.get() > before + 1);
        }

        void awaitSleep() throws Exception {
            Facts.await("a reader that sleeps", () -> asleepNs == sleepMaxNs);
        }

        void awaitBlock(long block) throws Exception {
            Facts.await(() -> "block " + block + ", read " + lastBlock, () -> lastBlock.get() == block);
        }

        void pause() throws Exception {
            isPaused = true;
            Facts.await("a reader that waits for a signal", () -> asleepNs == HOUR_NS);
        }

        void goOn() {
            isPaused = false;
        }

        @Override
        public void close() throws Exception {
            isClosed = true;
            watch.wakeUp();
            thread.join();
            watch.close();
            excerpts.close();
        }
    }
}
