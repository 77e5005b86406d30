package io.sealbook.protocol.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Runs as strangers make them; {@code matching-core} compares reports with those of the core. */
class ReportMakerTest {
    private static final int COUNT = 3;
    private static final int KIND = 'D' | '1' << 8 | '2' << 16 | '3' << 24;

    private final ReportMaker maker = new ReportMaker();

    @Test
    void shouldMakeTheReportsOfAnEntry() {
        byte[] run = run();
        assertThat(maker.begin(run, 0, run.length).end()).isEqualTo(53);

        ExecutionReportDecoder accepted = next();
        assertThat(accepted.reportSequence()).isEqualTo(50);
        assertThat(accepted.execId()).isEqualTo(905);
        assertThat(accepted.leavesQty()).isEqualTo(10);
        assertThat(accepted.accountId()).isEqualTo(6);
        assertThat(accepted.instrumentId()).isEqualTo(2);
        ExecutionReportDecoder filled = next();
        assertThat(filled.orderId()).isEqualTo(31);
        assertThat(filled.lastPx()).isEqualTo(99);
        assertThat(filled.cumValue()).isEqualTo(4 * 99);
        assertThat(filled.ordStatus()).isEqualTo(OrdStatus.PARTIALLY_FILLED);
        ExecutionReportDecoder canceled = next();
        assertThat(canceled.execId()).isEqualTo(908);
        assertThat(canceled.cumQty()).isEqualTo(4);
        assertThat(canceled.leavesQty()).isZero();
        assertThat(canceled.clOrdId()).isEqualTo(77);
        assertThat(maker.hasNext()).isFalse();
    }

    @Test
    void shouldRefuseARunThatIsCutOrGoesOn() {
        byte[] run = run();
        for (int length = 0; length <= run.length + 8; length++) {
            byte[] other = Arrays.copyOf(run, length);
            if (length != run.length) {
                assertThatThrownBy(() -> makeAll(other))
                        .as("%d of %d bytes", length, run.length)
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void shouldReadNoByteBeyondADamagedRun() {
        SplittableRandom random = new SplittableRandom(3);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] other = run();
            for (int k = random.nextInt(1, 4); k > 0; k--) {
                other[random.nextInt(other.length)] = (byte) random.nextInt();
            }
            try {
                makeAll(other);
            } catch (IllegalArgumentException damaged) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private void makeAll(byte[] run) {
        maker.begin(run, 0, run.length);
        while (maker.hasNext()) {
            maker.next();
        }
    }

    private ExecutionReportDecoder next() {
        byte[] message = new byte[ReportWords.LENGTH];
        maker.next();
        maker.get(message, 0);
        return new ExecutionReportDecoder()
                .wrapAndApplyHeader(new UnsafeBuffer(message), 0, new MessageHeaderDecoder());
    }

    /** An order that is accepted, fills a part and is canceled. */
    private static byte[] run() {
        int details = ReportRun.HEADER_LENGTH + COUNT * ResultCell.LENGTH;
        ByteBuffer run = ByteBuffer.allocate(details + 6 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ReportRun.begin(run.array(), 0, 7, COUNT, 50);
        ReportRun.putBlock(run.array(), 0, 12, 12_000, 900);
        ResultCell[] cells = {
            new ResultCell(1, 3, ResultEvent.ACCEPTED, 0, 31, 0, 10),
            new ResultCell(1, 3, ResultEvent.INCOMING_FILL, 0, 99, 8, 4),
            new ResultCell(1, 3, ResultEvent.CANCELED, 0, 31, 4, 6)
        };
        for (int i = 0; i < COUNT; i++) {
            cells[i].write(run.array(), ReportRun.HEADER_LENGTH + i * ResultCell.LENGTH);
        }
        run.position(details);
        run.putInt(5).putInt(KIND).putInt(6).putInt(2).putLong(77).putLong(100);
        run.putInt(6).putInt(0);
        run.putInt(8).putInt(0);
        return run.array();
    }
}
