package io.sealbook.client.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.cluster.ReportBytes;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExecutionReportDecoderTest {
    private static final int ROUNDS = 2_000;

    @Test
    void shouldGiveBackWhatWasWritten() {
        Random random = new Random(20261121);
        for (int round = 0; round < ROUNDS; round++) {
            ExecutionReport report = random(random);

            ByteBuffer bytes = littleEndian(ReportBytes.encode(report, ExecutionReportDecoder.BLOCK_LENGTH));

            assertThat(ExecutionReportDecoder.decode(bytes, 0)).isEqualTo(report);
            assertThat(ExecutionReportDecoder.reportSequence(bytes, 0)).isEqualTo(report.reportSequence());
            assertThat(ExecutionReportDecoder.brokerId(bytes, 0)).isEqualTo(report.brokerId());
        }
    }

    @Test
    void shouldSkipFieldsThatALaterSchemaAppends() {
        ExecutionReport report = random(new Random(1));
        ByteBuffer bytes = littleEndian(ReportBytes.encode(report, ExecutionReportDecoder.BLOCK_LENGTH + 12));

        assertThat(ExecutionReportDecoder.length(bytes, 0)).isEqualTo(8 + 145 + 12);
        assertThat(ExecutionReportDecoder.decode(bytes, 0)).isEqualTo(report);
    }

    @Test
    void shouldRefuseEveryCutMessage() {
        byte[] whole = ReportBytes.encode(random(new Random(2)), ExecutionReportDecoder.BLOCK_LENGTH);
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = littleEndian(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> ExecutionReportDecoder.decode(cut, 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseOtherMessagesUnknownValuesAndTheWrongByteOrder() {
        byte[] whole = ReportBytes.encode(random(new Random(3)), ExecutionReportDecoder.BLOCK_LENGTH);
        refuses(with(whole, 2, 3));
        refuses(with(whole, 4, 9));
        refuses(with(whole, 146, 'x'));
        refuses(with(whole, 152, 200));
        assertThatThrownBy(() -> ExecutionReportDecoder.decode(ByteBuffer.wrap(whole), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldAnswerRandomBytesWithARefusalOnly() {
        Random random = new Random(4);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            if (bytes.length > 6) {
                bytes[2] = 2;
                bytes[3] = 0;
                bytes[4] = 1;
                bytes[5] = 0;
            }
            assertThatThrownBy(() -> ExecutionReportDecoder.decode(littleEndian(bytes), 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void refuses(byte[] bytes) {
        assertThatThrownBy(() -> ExecutionReportDecoder.decode(littleEndian(bytes), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] with(byte[] bytes, int offset, int value) {
        byte[] changed = bytes.clone();
        changed[offset] = (byte) value;
        return changed;
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ExecutionReport random(Random random) {
        return ExecutionReport.builder()
                .reportSequence(random.nextLong())
                .blockSequence(random.nextLong())
                .orderId(random.nextLong())
                .execId(random.nextLong())
                .tradeId(random.nextLong())
                .clOrdId(random.nextLong())
                .origClOrdId(random.nextLong())
                .price(random.nextLong())
                .quantity(random.nextLong())
                .lastPx(random.nextLong())
                .lastQty(random.nextLong())
                .leavesQty(random.nextLong())
                .cumQty(random.nextLong())
                .cumValue(random.nextLong())
                .transactTimeNs(random.nextLong())
                .brokerId(random.nextInt())
                .accountId(random.nextInt())
                .instrumentId(random.nextInt())
                .batchIndex(random.nextInt())
                .orderIndex(random.nextInt(1 << 16))
                .action(Action.values()[random.nextInt(3)])
                .side(Side.values()[random.nextInt(2)])
                .ordType(OrdType.values()[random.nextInt(2)])
                .timeInForce(TimeInForce.values()[random.nextInt(4)])
                .execType(ExecType.values()[random.nextInt(7)])
                .ordStatus(OrdStatus.values()[random.nextInt(6)])
                .rejectReason(RejectReason.values()[random.nextInt(14)])
                .build();
    }
}
