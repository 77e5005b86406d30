package io.sealbook.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.result.ReportFields;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.ledger.BrokerLedger.NotReadyException;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.protocol.report.Position;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ledger against sums over all reports of a running engine. */
@Timeout(300)
class BrokerLedgerTest {
    private static final int BROKER = 2;
    private static final int BLOCKS = 12;

    private static final LedgerRoom ROOMY = new LedgerRoom(() -> Long.MAX_VALUE);

    @TempDir
    Path directory;

    private TestEngine engine;
    private TestNode node;
    private final TestFlow flow = new TestFlow(7);
    private ReportStore store;

    @BeforeEach
    void trade() throws Exception {
        node = new TestNode(directory, TestMarket.write(directory, 1).digest());
        node.commitFlow(flow, BLOCKS, 8, 20);
        engine = new TestEngine(
                directory,
                Map.of(
                        "sealbook.engine.snapshots.every-blocks", "5",
                        "sealbook.engine.reports.per-segment", "64",
                        "sealbook.engine.reports.keep-blocks", "1000"));
        engine.await(BLOCKS);
        store = engine.reports.of(BROKER).orElseThrow();
    }

    @AfterEach
    void stop() {
        engine.close();
    }

    @Test
    void shouldHaveOpenOrdersAndPositionsAsOfEachBlock() {
        BrokerLedger ledger = new BrokerLedger(store, ROOMY);
        int traded = 0;
        for (long block = 1; block <= BLOCKS; block++) {
            assertThat(ledger.advance(block)).isEqualTo(block);
            Sum sum = sumThrough(block);
            assertThat(ledger.reportSequence()).isEqualTo(sum.last);
            assertThat(open(ledger)).isEqualTo(sum.open);
            for (int account = BROKER * 100; account < BROKER * 100 + 3; account++) {
                assertThat(ledger.positions(account)).isEqualTo(sum.positions.getOrDefault(account, Map.of()));
                traded += ledger.positions(account).size();
            }
        }
        assertThat(traded).isPositive();
    }

    @Test
    void shouldAnswerAsOfALaterBlockIfItHasGoneThere() {
        BrokerLedger ledger = new BrokerLedger(store, ROOMY);
        assertThat(ledger.advance(8)).isEqualTo(8);

        assertThat(ledger.advance(3)).isEqualTo(8);
        assertThat(open(ledger)).isEqualTo(sumThrough(8).open);
    }

    @Test
    void shouldGoOnWhereAQuestionHasEndedWithinABlock() {
        BrokerLedger ledger = new BrokerLedger(store, ROOMY, 1);
        assertThatThrownBy(() -> ledger.advance(BLOCKS))
                .isInstanceOfSatisfying(
                        NotReadyException.class,
                        e -> assertThat(e.isRetryable()).isTrue());
        int questions = 0;
        while (ledger.reportSequence() < sumThrough(4).last) {
            assertThatThrownBy(() -> ledger.advance(BLOCKS)).isInstanceOf(NotReadyException.class);
            assertThat(questions++).isLessThan(1_000);
        }
        long asOf = 0;
        while (asOf == 0) {
            try {
                // An earlier block than the one in which it has left off.
                asOf = ledger.advance(1);
            } catch (NotReadyException e) {
                assertThat(questions++).isLessThan(1_000);
            }
        }

        assertThat(ledger.reportSequence()).isEqualTo(sumThrough(asOf).last);
        assertThat(open(ledger)).isEqualTo(sumThrough(asOf).open);
    }

    @Test
    void shouldAnswerAsOfABlockWithoutReportsOfTheBroker() throws Exception {
        node.commit();
        engine.await(BLOCKS + 1);
        BrokerLedger ledger = new BrokerLedger(store, ROOMY);

        assertThat(ledger.advance(BLOCKS + 1)).isEqualTo(BLOCKS + 1);
        assertThat(ledger.advance(BLOCKS)).as("nothing happened in between").isEqualTo(BLOCKS);
    }

    @Test
    void shouldNotPassOverReportsThatAreNoLongerKept() throws Exception {
        engine.close();
        engine = new TestEngine(
                directory,
                Map.of(
                        "sealbook.engine.snapshots.every-blocks", "5",
                        "sealbook.engine.reports.per-segment", "64",
                        "sealbook.engine.reports.keep-blocks", "0"));
        node.commitFlow(flow, 20, 8, 20);
        engine.await(BLOCKS + 20);
        store = engine.reports.of(BROKER).orElseThrow();
        assertThat(store.first()).isGreaterThan(1);

        assertThatThrownBy(() -> new BrokerLedger(store, ROOMY).advance(BLOCKS + 20))
                .isInstanceOfSatisfying(NotReadyException.class, e -> {
                    assertThat(e.isRetryable()).isFalse();
                    assertThat(e)
                            .hasMessage("reports are kept from " + store.first()
                                    + " on, the sum of all needs those from 1");
                });
    }

    @Test
    void shouldCountTheHeapOfWhatItHolds() {
        BrokerLedger ledger = new BrokerLedger(store, ROOMY);
        for (long block = 1; block <= BLOCKS; block++) {
            ledger.advance(block);
            Sum sum = sumThrough(block);
            int positions = sum.positions.values().stream().mapToInt(Map::size).sum();
            assertThat(ledger.bytes())
                    .isEqualTo((long) sum.open.size() * BrokerLedger.ORDER_BYTES
                            + (long) positions * BrokerLedger.POSITION_BYTES);
        }
    }

    /** A broker can place orders and trade until the heap of any engine is full of its reports. */
    @Test
    void shouldGiveUpTheLedgerThatHasMostWhenThereIsNoRoom() {
        ReportStore other = engine.reports.of(1).orElseThrow();
        long bytes = advanced(store, ROOMY).bytes();
        long otherBytes = advanced(other, ROOMY).bytes();
        assertThat(bytes).isNotEqualTo(otherBytes);
        LedgerRoom room = new LedgerRoom(() -> bytes + otherBytes - 1);
        BrokerLedger larger = new BrokerLedger(bytes < otherBytes ? other : store, room);
        BrokerLedger smaller = new BrokerLedger(bytes < otherBytes ? store : other, room);
        larger.advance(BLOCKS);

        assertThat(smaller.advance(BLOCKS)).isEqualTo(BLOCKS);

        assertThat(smaller.bytes()).isEqualTo(Math.min(bytes, otherBytes));
        assertThat(larger.bytes()).isZero();
        assertThat(larger.openOrders()).isEmpty();
        assertThatThrownBy(() -> larger.advance(BLOCKS))
                .isInstanceOfSatisfying(
                        NotReadyException.class,
                        e -> assertThat(e.isRetryable()).isFalse())
                .hasMessageContaining("of broker " + larger.brokerId() + " took")
                .hasMessageContaining("-Xmx");
    }

    @Test
    void shouldGiveItselfUpWhenThereIsNoRoomForItAlone() {
        long bytes = advanced(store, ROOMY).bytes();
        BrokerLedger ledger = new BrokerLedger(store, new LedgerRoom(() -> bytes / 2));

        for (int question = 0; question < 2; question++) {
            assertThatThrownBy(() -> ledger.advance(BLOCKS)).hasMessageContaining("it needs a larger one");
            assertThat(ledger.bytes()).isZero();
        }
    }

    private static BrokerLedger advanced(ReportStore store, LedgerRoom room) {
        BrokerLedger ledger = new BrokerLedger(store, room);
        ledger.advance(BLOCKS);
        return ledger;
    }

    private static Map<Long, Long> open(BrokerLedger ledger) {
        Map<Long, Long> leaves = new TreeMap<>();
        ledger.openOrders()
                .forEach((orderId, report) ->
                        leaves.put(orderId, ReportFields.of(report).leavesQtyLots()));
        return leaves;
    }

    /** Of all reports up to a block: quantities of open orders by OrderID, positions by account and instrument. */
    private record Sum(long last, Map<Long, Long> open, Map<Integer, Map<Integer, Position>> positions) {}

    private Sum sumThrough(long block) {
        Map<Long, Long> open = new TreeMap<>();
        Map<Integer, Map<Integer, Position>> positions = new HashMap<>();
        long last = 0;
        for (ReportFields report : all()) {
            if (report.block() > block) {
                break;
            }
            last = report.reportSequence();
            if (report.execType() == '8' || report.execType() == '9') {
                continue;
            }
            open.put(report.orderId(), report.leavesQtyLots());
            if (report.execType() == 'F') {
                long value = report.lastPxTicks() * report.lastQtyLots();
                Position fill = report.side() == '1'
                        ? new Position(report.lastQtyLots(), value, 0, 0)
                        : new Position(0, 0, report.lastQtyLots(), value);
                positions
                        .computeIfAbsent(report.accountId(), id -> new TreeMap<>())
                        .merge(
                                report.instrumentId(),
                                fill,
                                (a, b) -> new Position(
                                        a.boughtQuantity() + b.boughtQuantity(),
                                        a.boughtValue() + b.boughtValue(),
                                        a.soldQuantity() + b.soldQuantity(),
                                        a.soldValue() + b.soldValue()));
            }
        }
        open.values().removeIf(leaves -> leaves == 0);
        return new Sum(last, open, positions);
    }

    private List<ReportFields> all() {
        List<ReportFields> all = new ArrayList<>();
        for (long next = store.first(); next <= store.last(); ) {
            ByteBuffer bytes = ByteBuffer.allocate(100 * ReportStore.RECORD_LENGTH);
            int count = store.read(next, bytes);
            for (int i = 0; i < count; i++) {
                all.add(ReportFields.of(Arrays.copyOfRange(
                        bytes.array(), i * ReportStore.RECORD_LENGTH, (i + 1) * ReportStore.RECORD_LENGTH)));
            }
            next += count;
        }
        return all;
    }
}
