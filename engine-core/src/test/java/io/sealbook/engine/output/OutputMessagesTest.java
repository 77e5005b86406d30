package io.sealbook.engine.output;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Bytes that end within a message are refused, wherever they end. */
class OutputMessagesTest {
    @Test
    void shouldRefuseAMessageThatIsCut() {
        for (int templateId : new int[] {ExecutionReportDecoder.TEMPLATE_ID, TradeDecoder.TEMPLATE_ID}) {
            for (int length = 1; length < OutputMessages.TRADE_LENGTH; length++) {
                byte[] bytes = new byte[ReportRecord.LENGTH];
                new MessageHeaderEncoder().wrap(new UnsafeBuffer(bytes), 0).templateId(templateId);
                int cut = length;

                assertThatThrownBy(() -> new OutputMessages().forEach(bytes, cut, 0, new Ignored()))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    private static final class Ignored implements OutputMessages.Visitor {
        @Override
        public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
            throw new AssertionError("a report that is cut");
        }

        @Override
        public void onTrade(int index, TradeDecoder trade) {
            throw new AssertionError("a trade that is cut");
        }
    }
}
