package io.sealbook.engine.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.matching.ResultRun;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFrameTest {
    /** Small, so that a block goes through many frames. */
    private static final int FRAME_BYTES = 1_000;

    private static final int BLOCKS = 40;

    @TempDir
    Path directory;

    @Test
    void shouldGiveBackMessagesAndRunsAsTheCoreMadeThem() {
        Made made = new Made();
        GenesisFile genesis = TestMarket.write(directory, 10_000);
        MatchingCore core = new MatchingCore(MarketConfig.of(genesis.genesis()));
        TestFlow flow = new TestFlow(23);
        for (int block = 1; block <= BLOCKS; block++) {
            made.begin(block);
            core.beginBlock(block, 1_000L * block, made);
            for (int batch = 0; batch < 40; batch++) {
                byte[] bytes = flow.batch(30);
                core.onBatch(batch, new UnsafeBuffer(bytes), 0, bytes.length);
            }
            core.endBlock();
            made.visit();
        }

        assertThat(made.seen.messages).isEqualTo(made.messages);
        assertThat(made.seenRuns).isEqualTo(made.runs).hasSizeGreaterThan(4 * BLOCKS);
        assertThat(made.trades).isGreaterThan(1_000);
    }

    /** What the core made, and the frames that it went through. */
    private static final class Made implements MatchingOutput {
        final List<String> messages = new ArrayList<>();
        final Seen seen = new Seen();
        final List<String> runs = new ArrayList<>();
        final List<String> seenRuns = new ArrayList<>();
        private final OutputFrame frame = new OutputFrame();
        private final OutputMessages walk = new OutputMessages();
        private long block;
        private int index;
        private int trades;

        void begin(long sequence) {
            block = sequence;
            index = 0;
            frame.begin(FRAME_BYTES, block, 0, index);
        }

        @Override
        public void onReport(ReportRecord report) {
            byte[] whole = new byte[ReportRecord.LENGTH];
            report.get(whole, 0);
            messages.add(report.brokerId() + " " + report.reportSequence() + " " + Arrays.toString(whole));
            reserve(whole.length);
            frame.add(report);
            index++;
        }

        @Override
        public void onTrade(DirectBuffer buffer, int offset, int length) {
            reserve(length);
            frame.add(buffer, offset, length);
            messages.add(index + " trade " + buffer.getLong(offset + 8, ByteOrder.LITTLE_ENDIAN));
            trades++;
            index++;
        }

        @Override
        public void onRun(ResultRun run) {
            byte[] bytes = new byte[run.length()];
            run.get(bytes, 0);
            byte[] leafHash = new byte[Sha256.LENGTH];
            run.getLeafHash(leafHash, 0);
            runs.add(Arrays.toString(leafHash) + Arrays.toString(bytes));
            if (!frame.hasRoom(run)) {
                visit();
                frame.begin(FRAME_BYTES, block, 0, index);
            }
            frame.add(run);
        }

        private void reserve(int length) {
            if (!frame.hasRoom(length)) {
                visit();
                frame.begin(FRAME_BYTES, block, 0, index);
            }
        }

        void visit() {
            int count = walk.forEach(frame.bytes(), frame.length(), frame.firstIndex(), seen);
            assertThat(count).isEqualTo(index - frame.firstIndex());
            frame.forEachRun((bytes, offset, length, leafHashOffset) -> seenRuns.add(
                    Arrays.toString(Arrays.copyOfRange(bytes, leafHashOffset, leafHashOffset + Sha256.LENGTH))
                            + Arrays.toString(Arrays.copyOfRange(bytes, offset, offset + length))));
        }
    }

    private static final class Seen implements OutputMessages.Visitor {
        final List<String> messages = new ArrayList<>();

        @Override
        public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
            byte[] whole = Arrays.copyOfRange(bytes, offset, offset + ReportRecord.LENGTH);
            messages.add(report.brokerId() + " " + report.reportSequence() + " " + Arrays.toString(whole));
        }

        @Override
        public void onTrade(int index, TradeDecoder trade) {
            messages.add(index + " trade " + trade.tradeId());
        }
    }
}
