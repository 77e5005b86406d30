package io.sealbook.node.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.session.Sessions;
import io.sealbook.pbft.Input;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes back of the payload log at a start, and what is left of its files. */
class PayloadsAtStartTest {
    private static final int BROKER = 7;
    private static final long KEY = SessionKey.of(BROKER, 0);
    private static final int SEGMENT_LENGTH = 8_192;

    @TempDir
    private Path directory;

    private final PayloadStore store = new PayloadStore(1 << 20, 4, 0);

    @Test
    void shouldTakeBackWhatNoBlockHolds() {
        Payload first = payload(1, Digest.ZERO);
        Payload second = payload(2, first.batchId());
        try (PayloadLog log = open()) {
            log.append(first);
            log.append(second);
        }

        try (PayloadLog log = open()) {
            assertThat(restore(log, first)).containsExactly(second.available());
            assertThat(log.payloads()).extracting(Payload::batchId).containsExactly(second.batchId());
            assertThat(store.contains(second.batchId())).isTrue();
        }
    }

    /** A node that is killed again and again must not read, and keep, a segment more each time. */
    @Test
    void shouldKeepNoSegmentWhoseBatchesAreInBlocks() {
        Payload last = payload(1, Digest.ZERO);
        try (PayloadLog log = open()) {
            log.append(last);
        }
        for (int number = 2; number <= 12; number++) {
            try (PayloadLog log = open()) {
                restore(log, last);
                last = payload(number, last.batchId());
                log.append(last);
                log.flush();

                assertThat(log.length()).as("after start %d", number).isEqualTo(SEGMENT_LENGTH);
            }
        }
    }

    private List<Input.BatchAvailable> restore(PayloadLog log, Payload delivered) {
        Sessions sessions = new Sessions();
        sessions.restore(KEY, delivered.number(), delivered.batchId());
        return StartUp.restorePayloads(log, store, sessions, new NoEvents());
    }

    private PayloadLog open() {
        return PayloadLog.open(FileStorage.open(directory), Durability.PROCESS, SEGMENT_LENGTH);
    }

    private static Payload payload(long number, Digest previous) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(number)
                .putPrevious(previous.bytes(), 0, Digest.LENGTH)
                .validUntilBlock(1_000)
                .brokerId(BROKER)
                .ordersCount(1);
        return new Payload(
                BatchId.of(signed), signed, BROKER, new BatchPosition(0, number, previous), 1_000, 1, 0, 5, 5);
    }
}
