package io.sealbook.engine.matching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.fixture.TestReports;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.InstrumentStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine follows the administrative transactions in its blocks, also from a snapshot. */
class AdministrationTest {
    private static final int NEW_BROKER = 9;
    private static final int NEW_INSTRUMENT = 7;
    private static final Map<String, String> NO_SNAPSHOTS = Map.of("sealbook.engine.snapshots.every-blocks", "1000000");

    @TempDir
    private Path directory;

    private TestNode node;
    private final TestFlow flow = new TestFlow(1);

    @BeforeEach
    void write() {
        node = new TestNode(directory, TestMarket.write(directory, 1).digest());
    }

    private void commitAdditions() {
        node.commit(TestAdministration.batch(
                1,
                TestAdministration.setQuota(1, 1_000),
                TestAdministration.addBroker(NEW_BROKER),
                TestAdministration.addInstrument(NEW_INSTRUMENT)));
    }

    private byte[] order(int brokerId, long clOrdId, int instrument) {
        return flow.batch(
                brokerId, List.of(Entry.limit(clOrdId, 100 * brokerId, instrument, Side.BUY, 10 + clOrdId, 5)));
    }

    @Test
    void shouldServeANewBrokerAndANewInstrument() throws Exception {
        try (TestEngine engine = new TestEngine(directory, NO_SNAPSHOTS)) {
            commitAdditions();
            engine.await(1);
            assertThat(engine.market.hasBroker(NEW_BROKER)).isTrue();
            assertThat(engine.market.hasInstrument(NEW_INSTRUMENT)).isTrue();
            assertThat(engine.board.of(NEW_INSTRUMENT)).isPresent();
            Facts.await(
                    "the broker's store", () -> engine.reports.of(NEW_BROKER).isPresent());

            node.commit(order(NEW_BROKER, 1, NEW_INSTRUMENT), order(1, 2, NEW_INSTRUMENT));
            engine.await(2);

            assertThat(TestReports.brief(engine.reports, NEW_BROKER)).containsExactly("#1 NEW");
            assertThat(TestReports.brief(engine.reports, 1)).containsExactly("#2 NEW");
            Facts.await(
                    "depth",
                    () -> engine.board.of(NEW_INSTRUMENT).orElseThrow().bids().count() == 2);
            assertThat(engine.monitor.membership()).isEqualTo(1);
            assertThat(engine.monitor.totals().batches()).isEqualTo(3);
        }
    }

    @Test
    void shouldShowAHaltAndItsEnd() throws Exception {
        try (TestEngine engine = new TestEngine(directory, NO_SNAPSHOTS)) {
            node.commit(
                    order(1, 1, 1),
                    TestAdministration.batch(
                            1, TestAdministration.setInstrument(1, InstrumentStatus.INSTRUMENT_HALTED)),
                    order(1, 2, 1));
            node.commit(order(1, 3, 1));
            engine.await(2);
            assertThat(TestReports.brief(engine.reports, 1))
                    .containsExactly("#1 NEW", "#2 NEW", "#3 REJECTED INSTRUMENT_HALTED");
            assertThat(engine.board.of(1).orElseThrow().isHalted()).isTrue();
            assertThat(engine.board.of(2).orElseThrow().isHalted()).isFalse();

            node.commit(TestAdministration.batch(
                    2, TestAdministration.setInstrument(1, InstrumentStatus.INSTRUMENT_TRADING)));
            engine.await(3);

            assertThat(engine.board.of(1).orElseThrow().isHalted()).isFalse();
        }
    }

    @Test
    void shouldTakeTheOrdersOfARemovedBrokerOutOfTheDepth() throws Exception {
        try (TestEngine engine = new TestEngine(directory, NO_SNAPSHOTS)) {
            node.commit(order(2, 1, 1));
            node.commit(TestAdministration.batch(1, TestAdministration.setBroker(2, BrokerStatus.BROKER_REMOVED)));
            node.commit();
            engine.await(3);

            assertThat(TestReports.brief(engine.reports, 2)).containsExactly("#1 NEW", "#1 CANCELED BROKER_REMOVED");
            Facts.await(
                    "no depth", () -> engine.board.of(1).orElseThrow().bids().count() == 0);
            assertThat(engine.monitor.totals().rejected()).isZero();
        }
    }

    @Test
    void shouldLeaveTheMarketAloneWhenATransactionIsRefused() throws Exception {
        try (TestEngine engine = new TestEngine(directory, NO_SNAPSHOTS)) {
            node.commit(TestAdministration.batch(2, TestAdministration.addInstrument(NEW_INSTRUMENT)));
            node.commit(order(1, 1, NEW_INSTRUMENT));
            engine.await(2);

            assertThat(TestReports.brief(engine.reports, 1)).containsExactly("#1 REJECTED UNKNOWN_INSTRUMENT");
            assertThat(engine.monitor.membership()).isZero();
        }
    }

    /** Snapshots of every block: also of one whose transactions are not in effect yet. */
    @Test
    void shouldGoOnAlikeFromASnapshotOfEachBlock() throws Exception {
        Path straight = directory.resolve("straight");
        TestNode other = new TestNode(straight, TestMarket.write(straight, 1).digest());
        byte[][][] blocks = {
            {order(1, 1, 1), order(2, 1, 2)},
            {
                TestAdministration.batch(
                        1,
                        TestAdministration.setQuota(1, 1_000),
                        TestAdministration.addBroker(NEW_BROKER),
                        TestAdministration.addInstrument(NEW_INSTRUMENT))
            },
            {order(NEW_BROKER, 1, NEW_INSTRUMENT), order(1, 2, NEW_INSTRUMENT)},
            {TestAdministration.batch(2, TestAdministration.setBroker(2, BrokerStatus.BROKER_REMOVED)), order(2, 3, 1)},
            {order(2, 4, 1), order(NEW_BROKER, 5, 1)},
            {
                TestAdministration.batch(
                        3, TestAdministration.setInstrument(NEW_INSTRUMENT, InstrumentStatus.INSTRUMENT_HALTED))
            },
            {order(1, 6, NEW_INSTRUMENT)}
        };
        for (byte[][] batches : blocks) {
            node.commit(batches);
            other.commit(batches);
            try (TestEngine engine = new TestEngine(directory, NO_SNAPSHOTS)) {
                engine.await(node.lastSequence());
                assertThat(engine.awaitRestored()).isEqualTo(node.lastSequence() - 1);
            }
        }
        try (TestEngine engine = new TestEngine(straight, NO_SNAPSHOTS)) {
            engine.await(blocks.length);
        }
        assertThat(node.results().stream().map(BlockResult::digest).toList())
                .isEqualTo(other.results().stream().map(BlockResult::digest).toList());
        try (TestEngine engine = new TestEngine(directory, NO_SNAPSHOTS);
                TestEngine again = new TestEngine(straight, NO_SNAPSHOTS)) {
            engine.awaitRestored();
            again.awaitRestored();
            assertThat(engine.board.of(NEW_INSTRUMENT).orElseThrow().isHalted()).isTrue();
            assertThat(engine.market.terms().encode())
                    .isEqualTo(again.market.terms().encode());
            assertThat(engine.market.terms().configurations()).hasSize(3);
            for (int broker : engine.market.brokerIds()) {
                assertThat(TestReports.brief(engine.reports, broker))
                        .isEqualTo(TestReports.brief(again.reports, broker));
            }
            assertThat(TestReports.brief(engine.reports, 2)).contains("#1 CANCELED BROKER_REMOVED");
        }
        assertThat(Files.isDirectory(directory.resolve("engine"))).isTrue();
    }
}
