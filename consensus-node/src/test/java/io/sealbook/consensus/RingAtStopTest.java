package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.ForwardingFile;
import io.sealbook.archive.storage.ForwardingStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.consensus.agent.LogLines;
import io.sealbook.consensus.ingress.RingIngress;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.crypto.BatchPreference;
import io.sealbook.facts.Facts;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A ring that is closed while admission waits for the disk longer than the ring waits for admission. */
@Timeout(300)
class RingAtStopTest {
    @TempDir
    private Path directory;

    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final CountDownLatch writes = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private volatile boolean isSlow;

    /** Notes what is written when the disk is slow, and that it is closed. */
    private final class SlowStorage extends ForwardingStorage {
        SlowStorage(Storage storage) {
            super(storage);
        }

        @Override
        protected StoredFile forward(StoredFile file) {
            return new ForwardingFile(file) {
                @Override
                public void write(ByteBuffer from, long offset) {
                    if (isSlow) {
                        calls.add("begin");
                        awaitDisk();
                        super.write(from, offset);
                        calls.add("end");
                    } else {
                        super.write(from, offset);
                    }
                }
            };
        }

        @Override
        public void close() {
            calls.add("close");
            super.close();
        }
    }

    /** The parts are closed in the order of a node. */
    @Test
    void shouldCloseThePayloadLogAfterTheBatchThatIsWritten() throws Exception {
        try (IngressFixture fixture = new IngressFixture(directory, SlowStorage::new);
                LogLines lines = LogLines.of(RingIngress.class)) {
            fixture.verifier.isHeld.countDown();
            RingIngress ring = fixture.startRing(1, BatchPreference.perCore(16, 32));
            OpenParts parts = new OpenParts();
            parts.add(fixture.payloadLog);
            parts.add(ring::awaitEnd);
            parts.add(ring);
            isSlow = true;
            assertThat(fixture.offer(0)).isTrue();
            writes.await();

            Thread stopping = Thread.ofPlatform().start(parts::close);
            Facts.await(
                    "the log is closed, or the ring is waited for",
                    () -> calls.size() > 1
                            || lines.warnings().stream().anyMatch(line -> line.startsWith("thread ingress-0-")));
            mayGoOn.countDown();
            stopping.join();

            assertThat(List.copyOf(calls)).containsExactly("begin", "end", "close");
            assertThat(fixture.takeAnswers(1)).containsExactly(0L);
        }
    }

    private void awaitDisk() {
        writes.countDown();
        try {
            mayGoOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
