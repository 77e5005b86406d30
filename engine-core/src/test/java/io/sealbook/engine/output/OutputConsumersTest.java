package io.sealbook.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputConsumersTest {
    private final List<String> calls = new ArrayList<>();
    private final OutputConsumers both =
            new OutputConsumers(List.of(new Recording("tape", false), new Recording("copy", true)));

    @Test
    void shouldGiveEachOutputToAllInOrder() {
        both.onBegin(7, true);
        both.onTrade(3, null);
        both.onBlockEnd(null);

        assertThat(calls)
                .containsExactly(
                        "tape begin 7 true",
                        "copy begin 7 true",
                        "tape trade 3",
                        "copy trade 3",
                        "tape end",
                        "copy end");
    }

    @Test
    void shouldGiveReportsToThoseThatReadThem() {
        both.onReport(4, null, null, 0);

        assertThat(calls).containsExactly("copy report 4");
    }

    @Test
    void shouldReadReportsIfOneDoes() {
        assertThat(both.readsReports()).isTrue();
        assertThat(new OutputConsumers(List.of(new Recording("tape", false))).readsReports())
                .isFalse();
    }

    private final class Recording implements OutputConsumer {
        private final String name;
        private final boolean readsReports;

        Recording(String name, boolean readsReports) {
            this.name = name;
            this.readsReports = readsReports;
        }

        @Override
        public boolean readsReports() {
            return readsReports;
        }

        @Override
        public void onBegin(long afterBlock, boolean areReplaced) {
            calls.add(name + " begin " + afterBlock + " " + areReplaced);
        }

        @Override
        public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
            calls.add(name + " report " + index);
        }

        @Override
        public void onTrade(int index, TradeDecoder trade) {
            calls.add(name + " trade " + index);
        }

        @Override
        public void onBlockEnd(BlockEnd end) {
            calls.add(name + " end");
        }
    }
}
