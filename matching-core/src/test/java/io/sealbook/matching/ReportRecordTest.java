package io.sealbook.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ReportRecordTest {
    @Test
    void shouldWriteWhatTheGeneratedEncoderWrites() {
        SplittableRandom random = new SplittableRandom(41);
        ReportRecord record = new ReportRecord();
        byte[] expected = new byte[ReportRecord.LENGTH];
        ExecutionReportEncoder encoder = new ExecutionReportEncoder();

        for (int i = 0; i < 10_000; i++) {
            long[] n = random.longs(15).toArray();
            int brokerId = random.nextInt();
            int accountId = random.nextInt();
            int instrumentId = random.nextInt();
            long batchIndex = random.nextLong(1L << 32);
            int orderIndex = random.nextInt(1 << 16);
            Action action = any(random, Action.values());
            Side side = any(random, Side.values());
            OrdType ordType = any(random, OrdType.values());
            TimeInForce timeInForce = any(random, TimeInForce.values());
            ExecType execType = any(random, ExecType.values());
            OrdStatus ordStatus = any(random, OrdStatus.values());
            RejectReason reason = any(random, RejectReason.values());
            record.begin(n[0], n[1], n[2], n[3], n[14], brokerId)
                    .cause(batchIndex, orderIndex)
                    .ids(n[4], n[5], n[6])
                    .order(n[7], n[8], n[11], n[12], n[13])
                    .last(n[9], n[10])
                    .place(accountId, instrumentId)
                    .kind(action, side, ordType, timeInForce, execType, ordStatus, reason);
            encoder.wrapAndApplyHeader(new UnsafeBuffer(expected), 0, new MessageHeaderEncoder())
                    .reportSequence(n[0])
                    .blockSequence(n[1])
                    .orderId(n[2])
                    .execId(n[3])
                    .tradeId(n[4])
                    .clOrdId(n[5])
                    .origClOrdId(n[6])
                    .price(n[7])
                    .quantity(n[8])
                    .lastPx(n[9])
                    .lastQty(n[10])
                    .leavesQty(n[11])
                    .cumQty(n[12])
                    .cumValue(n[13])
                    .transactTimeNs(n[14])
                    .brokerId(brokerId & 0xFFFF_FFFFL)
                    .accountId(accountId & 0xFFFF_FFFFL)
                    .instrumentId(instrumentId & 0xFFFF_FFFFL)
                    .batchIndex(batchIndex)
                    .orderIndex(orderIndex)
                    .action(action)
                    .side(side)
                    .ordType(ordType)
                    .timeInForce(timeInForce)
                    .execType(execType)
                    .ordStatus(ordStatus)
                    .rejectReason(reason);

            assertThat(Arrays.copyOf(record.words(), ReportRecord.LENGTH)).isEqualTo(expected);
            for (int at = ReportRecord.LENGTH; at < record.words().length; at++) {
                assertThat(record.words()[at]).isZero();
            }
        }
    }

    private static <T> T any(SplittableRandom random, T[] values) {
        return values[random.nextInt(values.length)];
    }
}
