package io.sealbook.protocol.report;

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
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class ReportWordsTest {
    @Test
    void shouldWriteWhatTheGeneratedEncoderWrites() {
        SplittableRandom random = new SplittableRandom(41);
        byte[] expected = new byte[ReportWords.LENGTH];
        byte[] message = new byte[ReportWords.LENGTH];
        long[] words = new long[ReportWords.COUNT];
        ExecutionReportEncoder encoder = new ExecutionReportEncoder();

        long[] n = new long[15];
        for (int i = 0; i < 10_000; i++) {
            for (int k = 0; k < n.length; k++) {
                int change = random.nextInt(4);
                n[k] = change == 0 ? random.nextLong() : n[k] + (change == 1 ? random.nextInt(-70, 70) : 0);
            }
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
            System.arraycopy(n, 0, words, ReportWords.REPORT_SEQUENCE, n.length);
            words[ReportWords.BROKER_AND_ACCOUNT] = ReportWords.pair(brokerId, accountId);
            words[ReportWords.INSTRUMENT_AND_BATCH] = ReportWords.pair(instrumentId, batchIndex);
            int kind = action.value() & 0xFF
                    | (side.value() & 0xFF) << 8
                    | (ordType.value() & 0xFF) << 16
                    | (timeInForce.value() & 0xFF) << 24;
            words[ReportWords.CAUSE_AND_KIND] = ReportWords.causeAndKind(orderIndex, kind, execType, ordStatus);
            words[ReportWords.REJECT_REASON] = reason.value();
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

            ReportWords.write(words, message, 0);
            assertThat(message).isEqualTo(expected);
        }
    }

    private static <T> T any(SplittableRandom random, T[] values) {
        return values[random.nextInt(values.length)];
    }
}
