package io.sealbook.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sealbook.engine.fixture.TestReports;
import io.sealbook.engine.persistence.BooksOfRecord;
import io.sealbook.engine.persistence.TestDatabase;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.matching.ReportRecord;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportEncoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

class RecentOrdersTest {
    private static final int LOOKED_THROUGH = 600;
    private static final long QUANTITY = 10;

    @TempDir
    private Path directory;

    private ReportStores stores;
    private RecentOrders orders;
    private final long[] sequences = new long[4];
    private final Map<Long, Map<Long, Long>> orderIds = new HashMap<>();
    private long lastOrderId;

    @BeforeEach
    void open() {
        stores = new ReportStores(directory, List.of(1, 2, 3), 64, Durability.PROCESS);
        orders = new RecentOrders(stores, LOOKED_THROUGH);
    }

    @AfterEach
    void close() {
        stores.close();
    }

    @Test
    void shouldTellTheLastReportOfAnOrderOfThatBroker() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(2, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 7, ExecType.TRADE, OrdStatus.FILLED);

        assertThat(status(1, 7)).isEqualTo("FILLED");
        assertThat(status(2, 7)).isEqualTo("NEW");
        assertThat(find(3, 7)).isEmpty();
        assertThat(find(1, 8)).isEmpty();
    }

    @Test
    void shouldNotLetARefusedEntryHideALivingOrder() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 7, ExecType.REJECTED, OrdStatus.REJECTED);
        report(1, 8, ExecType.REJECTED, OrdStatus.REJECTED);

        assertThat(status(1, 7)).isEqualTo("NEW");
        assertThat(status(1, 8)).isEqualTo("REJECTED");
    }

    /** Its broker sends the ClOrdID again when the order's reports are older than those that are looked through. */
    @Test
    void shouldNotLetARefusedEntryHideAnOrderOfTheDatabase() {
        OrderController controller = new OrderController(orders, books(), (brokerId, clOrdId) -> Optional.empty());
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        for (int other = 0; other < LOOKED_THROUGH; other++) {
            report(1, 1_000 + other, ExecType.NEW, OrdStatus.NEW);
        }
        report(1, 7, ExecType.REJECTED, OrdStatus.REJECTED);
        report(1, 8, ExecType.REJECTED, OrdStatus.REJECTED);

        assertThat(controller.order("1", "7"))
                .extracting(ReportedOrder::source, ReportedOrder::ordStatus, ReportedOrder::leavesQty)
                .containsExactly("database", "NEW", QUANTITY);
        assertThat(controller.order("1", "8"))
                .extracting(ReportedOrder::source, ReportedOrder::ordStatus)
                .containsExactly("memory", "REJECTED");
    }

    /** Returns a database that has order 7 of broker 1, as it rests. */
    private static BooksAccess books() {
        JdbcTemplate jdbc = TestDatabase.database("hidden");
        jdbc.update(
                "INSERT INTO orders VALUES (1, 1, 7, 0, 0, '1', '2', '1', 0, ?, ?, 0, 0, '0', 1, 1, 0, 0)",
                QUANTITY,
                QUANTITY);
        BooksOfRecord database = TestDatabase.books(jdbc);
        return new BooksAccess(() -> Optional.of(database), true, () -> "a caller", 1, 0);
    }

    /** A cancel that worked ends the order that it names; one that was refused says nothing of it. */
    @Test
    void shouldTakeACancelForTheLastWord() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 8, ExecType.NEW, OrdStatus.NEW);
        report(1, 20, 7, ExecType.CANCELED, OrdStatus.CANCELED);
        report(1, 21, 8, ExecType.CANCEL_REJECT, OrdStatus.REJECTED);

        assertThat(status(1, 7)).isEqualTo("CANCELED");
        assertThat(status(1, 8)).isEqualTo("NEW");
        assertThat(orders.newest(10))
                .extracting(ReportedOrder::ordStatus)
                .containsExactly("REJECTED", "CANCELED", "NEW");
    }

    /** The report of a cancel carries the cancel's ClOrdID; the database has the order's. */
    @Test
    void shouldShowACancelledOrderUnderTheClOrdIdThatItHad() {
        report(1, 11, ExecType.NEW, OrdStatus.NEW);
        report(1, 12, 11, ExecType.CANCELED, OrdStatus.CANCELED);

        assertThat(find(1, 11)).get().extracting(ReportedOrder::clOrdId).isEqualTo("11");
        assertThat(find(1, 12)).isEmpty();
        assertThat(orders.newest(10)).extracting(ReportedOrder::clOrdId).containsExactly("11");
    }

    /** A broker may cancel under the ClOrdID of another order: only orders must have different ones. */
    @Test
    void shouldNotLetACancelHideTheOrderWhoseClOrdIdItHas() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 8, ExecType.NEW, OrdStatus.NEW);
        report(1, 8, 7, ExecType.CANCELED, OrdStatus.CANCELED);

        assertThat(status(1, 8)).isEqualTo("NEW");
        assertThat(status(1, 7)).isEqualTo("CANCELED");
        assertThat(orders.newest(10))
                .extracting(ReportedOrder::clOrdId, ReportedOrder::ordStatus)
                .containsExactly(tuple("7", "CANCELED"), tuple("8", "NEW"));
    }

    @Test
    void shouldNotLetACancelHideARefusalOfItsClOrdId() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 8, ExecType.REJECTED, OrdStatus.REJECTED);
        report(1, 8, 7, ExecType.CANCELED, OrdStatus.CANCELED);

        assertThat(status(1, 8)).isEqualTo("REJECTED");
        assertThat(orders.newest(10))
                .extracting(ReportedOrder::clOrdId, ReportedOrder::ordStatus)
                .containsExactly(tuple("7", "CANCELED"), tuple("8", "REJECTED"));
    }

    /** The database has no reason: an order that a mass cancel took is not refused. */
    @Test
    void shouldShowAReasonOnlyOfWhatIsRefused() {
        report(1, 7, 0, ExecType.NEW, OrdStatus.NEW, RejectReason.NONE);
        report(1, 7, 0, ExecType.CANCELED, OrdStatus.CANCELED, RejectReason.MASS_CANCEL);
        report(1, 9, 0, ExecType.REJECTED, OrdStatus.REJECTED, RejectReason.INVALID_PRICE);

        assertThat(find(1, 7))
                .get()
                .extracting(ReportedOrder::ordStatus, ReportedOrder::rejectReason)
                .containsExactly("CANCELED", null);
        assertThat(find(1, 9)).get().extracting(ReportedOrder::rejectReason).isEqualTo("INVALID_PRICE");
    }

    /** Against all that was reported, over files of 64 reports, with more of them than are looked through. */
    @Test
    void shouldFindWhatTheLastReportsTell() {
        Random random = new Random(11);
        Map<Long, List<List<Object>>> reported = new HashMap<>();
        for (int i = 0; i < 2_000; i++) {
            long brokerId = 1 + random.nextInt(3);
            long clOrdId = random.nextInt(40) == 0 ? Long.MAX_VALUE - random.nextInt(10) : 1 + random.nextInt(500);
            OrdStatus status = random.nextBoolean() ? OrdStatus.PARTIALLY_FILLED : OrdStatus.FILLED;
            report(brokerId, clOrdId, ExecType.TRADE, status);
            reported.computeIfAbsent(brokerId, id -> new ArrayList<>()).add(List.of(clOrdId, status.name()));
        }

        reported.forEach((brokerId, all) -> {
            List<List<Object>> last = all.subList(Math.max(0, all.size() - LOOKED_THROUGH), all.size());
            Map<Object, Object> expected = new HashMap<>();
            last.forEach(report -> expected.put(report.get(0), report.get(1)));
            assertThat(expected).hasSizeGreaterThan(300);
            expected.forEach((clOrdId, status) ->
                    assertThat(status(brokerId, (Long) clOrdId)).isEqualTo(status));
            all.stream()
                    .filter(report -> !expected.containsKey(report.get(0)))
                    .forEach(report ->
                            assertThat(find(brokerId, (Long) report.get(0))).isEmpty());
        });
    }

    @Test
    void shouldTellTheNewestOfAllBrokers() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(2, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 8, ExecType.NEW, OrdStatus.NEW);
        report(1, 7, ExecType.TRADE, OrdStatus.FILLED);

        assertThat(orders.newest(2)).extracting(ReportedOrder::brokerId).containsExactly(1L, 1L);
        assertThat(orders.newest(10))
                .extracting(ReportedOrder::clOrdId, ReportedOrder::ordStatus)
                .containsExactly(tuple("7", "FILLED"), tuple("8", "NEW"), tuple("7", "NEW"));
    }

    /** Each replace names two ClOrdIDs of one order. */
    @Test
    void shouldFillTheLimitWithTheNewestOrders() {
        report(2, 1, ExecType.NEW, OrdStatus.NEW);
        for (long order = 10; order < 60; order += 10) {
            report(1, order, ExecType.NEW, OrdStatus.NEW);
            report(1, order + 1, order, ExecType.REPLACED, OrdStatus.NEW);
        }

        assertThat(orders.newest(4)).extracting(ReportedOrder::clOrdId).containsExactly("51", "41", "31", "21");
        assertThat(orders.newest(100))
                .extracting(ReportedOrder::clOrdId)
                .containsExactly("51", "41", "31", "21", "11", "1");
    }

    @Test
    void shouldTellAReplacedOrderOnceAndAsItIsNow() {
        report(1, 7, ExecType.NEW, OrdStatus.NEW);
        report(1, 8, 7, ExecType.REPLACED, OrdStatus.NEW);
        report(1, 8, ExecType.TRADE, OrdStatus.FILLED);

        assertThat(orders.newest(10)).extracting(ReportedOrder::ordStatus).containsExactly("FILLED");
        assertThat(status(1, 8)).isEqualTo("FILLED");
        assertThat(status(1, 7)).isEqualTo("FILLED");
    }

    private String status(long brokerId, long clOrdId) {
        return find(brokerId, clOrdId).orElseThrow().ordStatus();
    }

    private Optional<ReportedOrder> find(long brokerId, long clOrdId) {
        return orders.find(brokerId, clOrdId, Optional::empty);
    }

    private void report(long brokerId, long clOrdId, ExecType execType, OrdStatus status) {
        report(brokerId, clOrdId, 0, execType, status);
    }

    private void report(long brokerId, long clOrdId, long origClOrdId, ExecType execType, OrdStatus status) {
        report(brokerId, clOrdId, origClOrdId, execType, status, RejectReason.NONE);
    }

    private long orderId(long brokerId, long clOrdId, long origClOrdId, ExecType execType) {
        Map<Long, Long> known = orderIds.computeIfAbsent(brokerId, id -> new HashMap<>());
        return switch (execType) {
            case NEW, TRADE -> known.computeIfAbsent(clOrdId, id -> ++lastOrderId);
            case REPLACED -> {
                known.put(clOrdId, known.get(origClOrdId));
                yield known.get(clOrdId);
            }
            case CANCELED -> known.get(origClOrdId == 0 ? clOrdId : origClOrdId);
            default -> 0;
        };
    }

    /** Every report is in a separate block, so that the newer one is defined. */
    private void report(
            long brokerId, long clOrdId, long origClOrdId, ExecType execType, OrdStatus status, RejectReason reason) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[ReportRecord.LENGTH]);
        long sequence = ++sequences[(int) brokerId];
        new ExecutionReportEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .reportSequence(sequence)
                .blockSequence(++sequences[0])
                .brokerId(brokerId)
                .orderId(orderId(brokerId, clOrdId, origClOrdId, execType))
                .tradeId(execType == ExecType.TRADE ? 1 : 0)
                .clOrdId(clOrdId)
                .origClOrdId(origClOrdId)
                .quantity(QUANTITY)
                .leavesQty(execType == ExecType.NEW ? QUANTITY : 0)
                .cumQty(execType != ExecType.TRADE ? 0 : status == OrdStatus.FILLED ? QUANTITY : 1)
                .action(Action.NEW)
                .side(Side.BUY)
                .ordType(OrdType.LIMIT)
                .timeInForce(TimeInForce.DAY)
                .execType(execType)
                .ordStatus(status)
                .rejectReason(reason);
        TestReports.append(stores, buffer.byteArray());
        stores.endBlock();
        stores.flush(1);
    }
}
