package io.sealbook.perf.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import io.sealbook.client.Order;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.client.codec.OrderBatchEncoder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.perf.broker.FlowOrders;
import io.sealbook.perf.cluster.Home;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The oracle's own test: whole flows through the matching core alone, judged by the reports it writes. */
class FlowThroughCoreTest {
    private static final int ORDERS_PER_BATCH = 30;
    private static final int BATCHES_PER_BLOCK = 8;

    @Test
    void shouldAgreeOnSyntheticFlow() {
        FlowOracle.Verdict verdict = run(SyntheticFlow.generate("SYN", 7, 50_000));

        assertThat(verdict.agrees()).as(verdict.toString()).isTrue();
        assertThat(verdict.tradesExpected()).isGreaterThan(5_000);
    }

    @Test
    void shouldReproduceEveryRecordedDay() throws Exception {
        Path data = FlowFiles.dataDirectory(Home.find());
        List<Path> files = FlowFiles.find(data);
        assumeTrue(!files.isEmpty(), "needs recorded days: none below " + data);

        for (Path file : files) {
            FlowOracle.Verdict verdict = run(FlowFiles.read(file));

            assertThat(verdict.agrees()).as(verdict.toString()).isTrue();
        }
    }

    @Test
    void shouldNoticeAWrongTradeAWrongLevelAndAMissingEntry() {
        OrderFlow flow = SyntheticFlow.generate("SYN", 7, 2_000);
        List<FlowStep> steps = new ArrayList<>(flow.steps());
        int withTrade = 0;
        while (steps.get(withTrade).trades().isEmpty()) {
            withTrade++;
        }
        FlowStep right = steps.get(withTrade);
        FlowStep.ExpectedTrade trade = right.trades().get(0);
        steps.set(
                withTrade,
                new FlowStep(
                        right.commands(),
                        List.of(new FlowStep.ExpectedTrade(
                                trade.price() + 1, trade.quantity(), trade.buyClOrdId(), trade.sellClOrdId())),
                        right.levels()));
        right.levels().bids()[1]++;

        FlowOracle.Verdict verdict = run(withSteps(flow, steps));

        assertThat(verdict.agrees()).isFalse();
        assertThat(verdict.levelsEqual()).isEqualTo(verdict.levelsCompared() - 1);
        assertThat(verdict.differences()).hasSize(2);
        right.levels().bids()[1]--;

        // The last entry is never sent.
        FlowOracle oracle = new FlowOracle(flow);
        feed(withSteps(flow, flow.steps().subList(0, 1_999)), oracle);
        assertThat(oracle.verdict().executed()).isEqualTo(1_999);
        assertThat(oracle.verdict().agrees()).isFalse();
    }

    private static OrderFlow withSteps(OrderFlow flow, List<FlowStep> steps) {
        return new OrderFlow(
                flow.name(),
                flow.symbol(),
                flow.priceDecimals(),
                flow.priceMin(),
                flow.priceMax(),
                flow.quantityMax(),
                steps);
    }

    private static FlowOracle.Verdict run(OrderFlow flow) {
        FlowOracle oracle = new FlowOracle(flow);
        feed(flow, oracle);
        return oracle.verdict();
    }

    private static void feed(OrderFlow flow, FlowOracle oracle) {
        MatchingCore core = new MatchingCore(MarketConfig.of(genesis(flow)));
        MatchingOutput output = new MatchingOutput() {
            @Override
            public void onReport(ReportRecord report) {
                byte[] bytes = new byte[ReportRecord.LENGTH];
                report.get(bytes, 0);
                oracle.onReport(
                        ExecutionReportDecoder.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0));
            }

            @Override
            public void onTrade(DirectBuffer buffer, int offset, int length) {
                // The oracle judges by what brokers hear.
            }
        };
        List<Order> orders = new ArrayList<>();
        flow.steps().forEach(step -> step.commands().forEach(command -> orders.add(FlowOrders.toOrder(command, 1, 1))));
        OrderBatchEncoder encoder = new OrderBatchEncoder(ORDERS_PER_BATCH);
        long number = 0;
        long block = 0;
        for (int from = 0; from < orders.size(); ) {
            core.beginBlock(++block, 1_000_000_000L * block, output);
            for (int batch = 0; batch < BATCHES_PER_BLOCK && from < orders.size(); batch++) {
                int to = Math.min(orders.size(), from + ORDERS_PER_BATCH);
                encoder.begin(
                        9, 1, 1, SignatureScheme.SM2_SM3, new BatchPosition(0, ++number, Digest.ZERO), block + 100, 0);
                orders.subList(from, to).forEach(encoder::add);
                int length = encoder.finish();
                core.onBatch(batch, new UnsafeBuffer(encoder.array(), 0, length), 0, length);
                from = to;
            }
            core.endBlock();
        }
        oracle.finish();
    }

    private static Genesis genesis(OrderFlow flow) {
        return GenesisFile.withDefaults(Genesis.newBuilder()
                .setChainId(9)
                .setParameters(Parameters.newBuilder()
                        .setOrderCountMax(256)
                        .setValidityBlocksMax(10_000)
                        .setSessionsPerBroker(16))
                .addBrokers(Broker.newBuilder()
                        .setBrokerId(1)
                        .addAccounts(AccountRange.newBuilder().setFirst(1))
                        .addKeys(BrokerKey.newBuilder()
                                .setKeyId(1)
                                .setKey(PublicKey.newBuilder().setPoint(ByteString.copyFrom(new byte[64])))))
                .addInstruments(Instrument.newBuilder()
                        .setInstrumentId(1)
                        .setSymbol(flow.symbol())
                        .setPriceDecimals(flow.priceDecimals())
                        .setPriceMin(flow.priceMin())
                        .setPriceMax(flow.priceMax())
                        .setQuantityMax(flow.quantityMax())
                        .setReduceKeepsPriority(true))
                .build());
    }
}
