package io.sealbook.node.replicalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RecordScanTest {
    private static final int LENGTH = 10_000;
    private static final long NUMBER = 5;
    private static final byte[] CONTENT = {1};

    @Test
    void shouldFindTheProofOfDurabilityAfterAnyNumberOfZeros() {
        int last = LENGTH - Segment.recordLength(CONTENT.length);
        for (int at = Segment.HEADER_LENGTH + Long.BYTES; at <= last; at += Long.BYTES) {
            ByteBuffer file = zeros();
            file.put(at, Segment.record(NUMBER, at, at, CONTENT).array());

            assertThatExceptionOfType(ReplicaLogDamageException.class)
                    .as("record at %d", at)
                    .isThrownBy(() -> RecordScan.of(file, NUMBER))
                    .withMessageContaining("was durable up to " + at)
                    .satisfies(e -> assertThat(e.offset()).isEqualTo(Segment.HEADER_LENGTH));
        }
    }

    @Test
    void shouldEndWhereOnlyZerosFollow() {
        assertThat(RecordScan.of(zeros(), NUMBER).end()).isEqualTo(Segment.HEADER_LENGTH);
    }

    private static ByteBuffer zeros() {
        ByteBuffer file = ByteBuffer.allocate(LENGTH);
        Segment.writeHeader(file, NUMBER, Segment.HEADER_LENGTH);
        return file;
    }
}
