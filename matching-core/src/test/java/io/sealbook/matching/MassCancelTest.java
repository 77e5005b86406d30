package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.cancelAfter;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.massCancel;
import static io.sealbook.matching.Batch.replace;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.NULL_VAL;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.TimeInForce;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mass cancels: which orders they take, that these trade no more, and that no block does more than its portion. */
class MassCancelTest {
    private static final int GOOG = Markets.GOOG;
    private static final int STRICT = Markets.STRICT;
    private static final MarketConfig CONFIG = Markets.two();

    private CoreDriver exchange = new CoreDriver(CONFIG);
    private long number;

    private Batch batch(int brokerId, Batch.Request... requests) {
        return Batch.of(brokerId, ++number, exchange.core.lastSequence() + 1, requests);
    }

    private List<String> send(int brokerId, Batch.Request... requests) {
        return exchange.block(batch(brokerId, requests));
    }

    /** Goes on with a market whose blocks look at so many orders. */
    private void visit(int visitsMax) {
        exchange = new CoreDriver(new MatchingCore(CONFIG, 3, 0, visitsMax));
    }

    private void rest(int brokerId, int count, long firstId, io.sealbook.protocol.sbe.Side side, long price) {
        send(
                brokerId,
                IntStream.range(0, count)
                        .mapToObj(i -> limit(firstId + i, GOOG, side, price, 5, TimeInForce.GOOD_TILL_CANCEL))
                        .toArray(Batch.Request[]::new));
    }

    @Test
    void shouldCancelAllOrdersOfTheBrokerAndNoOther() {
        send(1, limit(11, STRICT, SELL, 120, 5), limit(12, GOOG, BUY, 90, 6), limit(13, GOOG, BUY, 91, 7));
        send(2, limit(21, GOOG, BUY, 91, 1));

        List<String> reports = send(1, massCancel(99, 0));

        assertThat(reports)
                .containsExactly(
                        "b1 #13 CANCELED MASS_CANCEL",
                        "b1 #12 CANCELED MASS_CANCEL",
                        "b1 #11 CANCELED MASS_CANCEL",
                        "b1 #99 MASS_CANCEL_REPORT leaves 0");
        assertThat(exchange.reports.getLast().cumQty()).isEqualTo(3);
        assertThat(exchange.core.liveOrderCount(1)).isZero();
        assertThat(exchange.core.liveOrderCount(2)).isEqualTo(1);
    }

    @Test
    void shouldTakeWhatPassesEachPartOfItsFilter() {
        Batch.Request other = new Batch.Request(
                14,
                0,
                92,
                5,
                10,
                GOOG,
                io.sealbook.protocol.sbe.Action.NEW,
                BUY,
                io.sealbook.protocol.sbe.OrdType.LIMIT,
                TimeInForce.DAY);
        send(1, limit(11, STRICT, SELL, 120, 5), limit(12, GOOG, BUY, 90, 6), limit(13, GOOG, SELL, 99, 7), other);
        exchange.block(batch(1, limit(15, GOOG, BUY, 93, 1)).in(3));

        assertThat(send(1, massCancel(90, GOOG, SELL, 0, 0, 0))).first().isEqualTo("b1 #13 CANCELED MASS_CANCEL");
        assertThat(send(1, massCancel(91, 0, NULL_VAL, 1, 10, 0))).first().isEqualTo("b1 #14 CANCELED MASS_CANCEL");
        assertThat(send(1, massCancel(92, 0, NULL_VAL, 2, 0, 3))).first().isEqualTo("b1 #15 CANCELED MASS_CANCEL");
        assertThat(send(1, massCancel(93, GOOG, NULL_VAL, 3, 9, 0))).first().isEqualTo("b1 #12 CANCELED MASS_CANCEL");
        assertThat(exchange.core.liveOrderCount()).isEqualTo(1);
        assertThat(send(1, massCancel(94, GOOG))).containsExactly("b1 #94 MASS_CANCEL_REPORT leaves 0");
    }

    @Test
    void shouldKeepAnOrderInTheSessionInWhichItCame() {
        send(1, limit(11, GOOG, BUY, 90, 5));
        exchange.block(batch(1, replace(12, 11, GOOG, BUY, 89, 5)).in(3));

        assertThat(send(1, massCancel(92, 0, NULL_VAL, 2, 0, 3))).hasSize(1);
        assertThat(send(1, massCancel(93, 0, NULL_VAL, 2, 0, 0))).hasSize(2);
    }

    @Test
    void shouldRefuseARequestThatMeansNothingOrIsOfOthers() {
        assertThat(send(2, massCancel(1, 7))).containsExactly("b2 #1 CANCEL_REJECT UNKNOWN_INSTRUMENT");
        assertThat(send(2, massCancel(2, 0, NULL_VAL, 1, 10, 0)))
                .containsExactly("b2 #2 CANCEL_REJECT UNKNOWN_ACCOUNT");
        assertThat(send(2, massCancel(0, 0))).containsExactly("b2 #0 CANCEL_REJECT INVALID_FIELD");
        assertThat(send(2, massCancel(3, 0, NULL_VAL, 4, 0, 0))).containsExactly("b2 #3 CANCEL_REJECT INVALID_FIELD");
        assertThat(send(2, massCancel(4, 0, NULL_VAL, 0, 9, 0))).containsExactly("b2 #4 CANCEL_REJECT INVALID_FIELD");
        assertThat(send(2, massCancel(5, 0, NULL_VAL, 2, 0, 16))).containsExactly("b2 #5 CANCEL_REJECT INVALID_FIELD");
        assertThat(send(2, massCancel(6, 0, NULL_VAL, 0, 0, 1))).containsExactly("b2 #6 CANCEL_REJECT INVALID_FIELD");
        assertThat(exchange.core.refusedEntryCount()).isEqualTo(7);
    }

    @Test
    void shouldPassWhereACancelDoes() {
        send(1, limit(11, GOOG, BUY, 90, 5), limit(12, GOOG, BUY, 90, 5));
        long now = exchange.core.lastBlockTimeNs();
        BrokerConfig one = CONFIG.brokers().getFirst();
        List<BrokerConfig> brokers = new ArrayList<>(CONFIG.brokers());
        brokers.set(
                0,
                new BrokerConfig(
                        1, one.accounts(), one.liveOrderCountMax(), BrokerStatus.SUSPENDED, one.keys(), one.rates()));
        InstrumentConfig goog = CONFIG.instruments().getFirst();
        InstrumentConfig halted =
                new InstrumentConfig(GOOG, "GOOG", 2, goog.priceMin(), goog.priceMax(), goog.quantityMax(), true, true);

        assertThat(exchange.block(
                        now + 1_000_000_000,
                        batch(1, massCancel(90, 0, SELL, 0, 0, 0), limit(13, GOOG, BUY, 90, 5))
                                .sentAt(now, 10)))
                .containsExactly("b1 #90 MASS_CANCEL_REPORT leaves 0", "b1 #13 REJECTED TIME_TO_LIVE");
        exchange.core.reconfigure(MarketConfig.of(
                Batch.CHAIN_ID, List.of(halted, CONFIG.instruments().get(1)), brokers, 64, 100));
        assertThat(send(1, massCancel(91, GOOG))).hasSize(3);
    }

    @Test
    void shouldCancelInPortionsAndTradeNoneOfThem() {
        visit(4);
        rest(1, 10, 100, SELL, 100);
        rest(2, 1, 200, SELL, 100);

        // One visit of the empty buys, one of the sells, two orders.
        assertThat(send(1, massCancel(90, 0)))
                .containsExactly(
                        "b1 #100 CANCELED MASS_CANCEL",
                        "b1 #101 CANCELED MASS_CANCEL",
                        "b1 #90 MASS_CANCEL_REPORT leaves 8");

        // The pass: the buys, three orders. Then the incoming order meets the others before it reaches broker 2.
        assertThat(send(3, limit(31, GOOG, BUY, 100, 2)))
                .containsExactly(
                        "b1 #102 CANCELED MASS_CANCEL",
                        "b1 #103 CANCELED MASS_CANCEL",
                        "b1 #104 CANCELED MASS_CANCEL",
                        "b1 #105 CANCELED MASS_CANCEL",
                        "b1 #106 CANCELED MASS_CANCEL",
                        "b1 #107 CANCELED MASS_CANCEL",
                        "b1 #108 CANCELED MASS_CANCEL",
                        "b1 #109 CANCELED MASS_CANCEL",
                        "b3 #31 NEW leaves 2",
                        "b3 #31 TRADE 2@100 leaves 0 FILLED",
                        "b2 #200 TRADE 2@100 leaves 3 PARTIALLY_FILLED");
        assertThat(exchange.reports.get(exchange.reports.size() - 4).batchIndex())
                .isEqualTo(0xFFFF_FFFFL);

        // The pass: the last order, the sells, both sides of the other book.
        assertThat(exchange.block()).containsExactly("b1 #90 MASS_CANCEL_REPORT leaves 0");
        assertThat(exchange.reports.getLast().cumQty()).isEqualTo(10);
        assertThat(exchange.block()).isEmpty();
    }

    @Test
    void shouldTakeNoOrderThatComesLater() {
        visit(3);
        rest(1, 6, 100, BUY, 90);
        send(1, massCancel(90, 0), limit(200, GOOG, BUY, 90, 5));
        for (int i = 0; i < 20; i++) {
            exchange.block();
        }

        assertThat(exchange.core.findOrder(1, 200)).isPresent();
        assertThat(exchange.core.liveOrderCount()).isEqualTo(1);
    }

    @Test
    void shouldTreatATakenOrderAsNoneWhenAnEntryNamesIt() {
        visit(3);
        rest(1, 9, 100, BUY, 90);
        send(1, massCancel(90, 0));

        assertThat(exchange.core.findOrder(1, 108)).isEmpty();
        assertThat(send(1, cancel(91, 108, GOOG), replace(92, 107, GOOG, BUY, 91, 5), limit(106, GOOG, BUY, 80, 1)))
                .endsWith(
                        "b1 #108 CANCELED MASS_CANCEL",
                        "b1 #91 CANCEL_REJECT UNKNOWN_ORDER",
                        "b1 #107 CANCELED MASS_CANCEL",
                        "b1 #92 CANCEL_REJECT UNKNOWN_ORDER",
                        "b1 #106 CANCELED MASS_CANCEL",
                        "b1 #106 NEW leaves 1");
    }

    @Test
    void shouldNotFillAnOrderWholeFromTakenOnes() {
        visit(30);
        rest(1, 60, 100, SELL, 100);
        rest(2, 1, 200, SELL, 101);
        send(1, massCancel(90, 0));

        assertThat(send(3, limit(31, GOOG, BUY, 101, 6, TimeInForce.FILL_OR_KILL)))
                .endsWith("b3 #31 NEW leaves 6", "b3 #31 CANCELED leaves 0");
        assertThat(send(3, limit(32, GOOG, BUY, 101, 5, TimeInForce.FILL_OR_KILL)))
                .endsWith("b3 #32 TRADE 5@101 leaves 0 FILLED", "b2 #200 TRADE 5@101 leaves 0 FILLED");
    }

    @Test
    void shouldFillAnOrderWholeWhereNoPendingRequestTakesOrders() {
        visit(3);
        send(1, sells(100, 5, STRICT, 120));
        rest(2, 1, 200, SELL, 101);

        List<String> reports = exchange.block(
                batch(1, massCancel(90, STRICT)), batch(3, limit(31, GOOG, BUY, 101, 5, TimeInForce.FILL_OR_KILL)));

        assertThat(reports)
                .contains("b1 #90 MASS_CANCEL_REPORT leaves 4")
                .endsWith("b3 #31 TRADE 5@101 leaves 0 FILLED", "b2 #200 TRADE 5@101 leaves 0 FILLED");
    }

    @Test
    void shouldFillAnOrderWholeThoughRequestsHaveUsedTheVisitsOfTheBlock() {
        visit(3);
        rest(1, 5, 100, SELL, 103);
        rest(2, 1, 200, SELL, 101);

        List<String> reports = exchange.block(
                batch(1, massCancel(90, GOOG)), batch(3, limit(31, GOOG, BUY, 103, 5, TimeInForce.FILL_OR_KILL)));

        assertThat(reports)
                .contains("b1 #90 MASS_CANCEL_REPORT leaves 5")
                .endsWith("b3 #31 TRADE 5@101 leaves 0 FILLED", "b2 #200 TRADE 5@101 leaves 0 FILLED");
    }

    @Test
    void shouldGiveEachBrokerAShareOfTheLooksOfABlock() {
        visit(3);
        int looks = MassCancels.LOOKS_MIN;
        for (int rested = 0; rested <= looks; rested += 60) {
            rest(1, 60, 1_000 + rested, SELL, 100);
        }
        rest(2, 20, 200, SELL, 102);
        send(2, massCancel(90, GOOG, SELL, 0, 0, 0));
        Batch.Request tooLong = limit(31, GOOG, BUY, 100, 5 * (looks + 1), TimeInForce.FILL_OR_KILL);

        // A look that ends in a fill leaves the share as it is; one in vain does not.
        List<String> reports = exchange.block(
                batch(3, limit(30, GOOG, BUY, 100, 5, TimeInForce.FILL_OR_KILL), tooLong),
                batch(3, limit(32, GOOG, BUY, 100, 5, TimeInForce.FILL_OR_KILL)),
                batch(2, limit(33, GOOG, BUY, 100, 5, TimeInForce.FILL_OR_KILL)));
        assertThat(reports)
                .contains("b3 #30 TRADE 5@100 leaves 0 FILLED")
                .contains("b3 #31 CANCELED leaves 0", "b3 #32 CANCELED leaves 0")
                .contains("b2 #33 TRADE 5@100 leaves 0 FILLED");

        assertThat(send(3, limit(34, GOOG, BUY, 100, 5, TimeInForce.FILL_OR_KILL)))
                .contains("b3 #34 TRADE 5@100 leaves 0 FILLED");
    }

    private static Batch.Request[] sells(long firstId, int count, int instrument, long price) {
        return IntStream.range(0, count)
                .mapToObj(i -> limit(firstId + i, instrument, SELL, price, 5, TimeInForce.GOOD_TILL_CANCEL))
                .toArray(Batch.Request[]::new);
    }

    @Test
    void shouldLimitThePendingRequestsOfABroker() {
        visit(1);
        rest(1, 60, 100, SELL, 100);
        rest(2, 5, 200, SELL, 100);
        Batch.Request[] many =
                IntStream.range(0, 17).mapToObj(i -> massCancel(1 + i, 0)).toArray(Batch.Request[]::new);

        assertThat(send(1, many)).endsWith("b1 #17 CANCEL_REJECT MASS_CANCEL_LIMIT");
        assertThat(send(2, massCancel(90, 0))).endsWith("b2 #90 MASS_CANCEL_REPORT leaves 5");
    }

    @Test
    void shouldNotDoMoreThanAPortionInABlockWhateverABrokerAsks() {
        visit(50);
        for (int i = 0; i < 20; i++) {
            rest(1, 60, 1000 + 60L * i, BUY, 90);
        }
        int before = exchange.reports.size();
        int requests = 10;
        send(1, IntStream.range(0, requests).mapToObj(i -> massCancel(1 + i, 0)).toArray(Batch.Request[]::new));
        assertThat(exchange.reports.size() - before).isLessThanOrEqualTo(50 + requests);

        for (int block = 0; exchange.core.liveOrderCount() > 0; block++) {
            assertThat(exchange.block().size()).isLessThanOrEqualTo(50 + requests);
            assertThat(block).isLessThan(30);
        }
    }

    /** What is done in portions has the trades, and in the end the books, of what is done at once. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldTradeAsIfAllWereCancelledAtOnceAndGoOnAlikeFromSnapshots(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int visitsMax = 1 + random.nextInt(12);
        CoreDriver atOnce = new CoreDriver(new MatchingCore(CONFIG, seed, 0));
        CoreDriver straight = new CoreDriver(new MatchingCore(CONFIG, seed, 0, visitsMax));
        CoreDriver restarted = new CoreDriver(new MatchingCore(CONFIG, seed, 0, visitsMax));
        RandomFlow flow = new RandomFlow(seed, 2, 95, 12).withRequests();
        int restarts = 0;
        for (int block = 1; block <= 400; block++) {
            RandomFlow.Block next = flow.next();
            if (random.nextInt(3) == 0) {
                byte[] bytes = write(restarted.core);
                assertThat(restarted.core.stateDigest()).isEqualTo(straight.core.stateDigest());
                restarted = new CoreDriver(MatchingCore.readSnapshot(
                        CONFIG, new ByteArrayInputStream(bytes), random.nextLong(), visitsMax));
                restarts++;
            }

            atOnce.block(next.timeNs(), next.batches());
            straight.block(next.timeNs(), next.batches());
            restarted.block(next.timeNs(), next.batches());

            assertThat(restarted.blockBytes.toByteArray()).isEqualTo(straight.blockBytes.toByteArray());
            assertThat(restarted.digest()).isEqualTo(straight.digest());
            assertThat(straight.trades).as("block " + block).isEqualTo(atOnce.trades);
        }
        assertThat(restarts).isPositive();
        assertThat(straight.reports)
                .anyMatch(r -> r.execType() == ExecType.MASS_CANCEL_REPORT
                        && r.batchIndex() < 9
                        && r.ordStatus() == io.sealbook.protocol.sbe.OrdStatus.NEW);
        long end = straight.core.lastBlockTimeNs();
        for (int i = 0; i < 2_000; i++) {
            straight.block(end);
        }
        atOnce.block(end);
        for (int instrument : new int[] {GOOG, STRICT}) {
            assertThat(straight.bids(instrument)).isEqualTo(atOnce.bids(instrument));
            assertThat(straight.asks(instrument)).isEqualTo(atOnce.asks(instrument));
        }
        FixInvariants invariants = new FixInvariants();
        invariants.check(straight.outputs);
        assertThat(canceled(straight)).isEqualTo(canceled(atOnce));
    }

    private static List<Long> canceled(CoreDriver driver) {
        return driver.reports.stream()
                .filter(r -> r.execType() == ExecType.CANCELED && r.rejectReason() != RejectReason.NONE)
                .map(Report::orderId)
                .sorted()
                .toList();
    }

    private static byte[] write(MatchingCore core) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        core.writeSnapshot(out);
        return out.toByteArray();
    }

    /** A session that is silent. */
    private static final long SECOND = CoreDriver.SECOND_NS;

    @Test
    void shouldCancelTheOrdersOfASilentSessionBeforeAnyOrderOfTheFirstBlockAfterItsTime() {
        long start = CoreDriver.GENESIS_TIME_NS;
        exchange.block(start, batch(1, cancelAfter(1, 300), limit(11, GOOG, BUY, 90, 5)));
        exchange.block(start, batch(1, limit(12, GOOG, BUY, 90, 5)).in(1));
        assertThat(exchange.block(start + 3 * SECOND)).isEmpty();

        List<String> reports = exchange.block(start + 3 * SECOND + 1, batch(2, limit(21, GOOG, SELL, 90, 5)));

        assertThat(reports)
                .containsExactly(
                        "b1 #11 CANCELED CANCEL_AFTER",
                        "b1 #0 MASS_CANCEL_REPORT CANCEL_AFTER",
                        "b2 #21 NEW leaves 5",
                        "b2 #21 TRADE 5@90 leaves 0 FILLED",
                        "b1 #12 TRADE 5@90 leaves 0 FILLED");
    }

    /** As after a rotation of the broker's key: its program goes on in another session. */
    @Test
    void shouldCancelAReplacedOrderWithTheSessionInWhichItCame() {
        long start = CoreDriver.GENESIS_TIME_NS;
        exchange.block(start, batch(1, cancelAfter(1, 500), limit(11, GOOG, BUY, 90, 5)));
        exchange.block(
                start,
                batch(1, cancelAfter(2, 100), replace(12, 11, GOOG, BUY, 89, 5)).in(1));

        assertThat(exchange.block(start + 2 * SECOND)).containsExactly("b1 #0 MASS_CANCEL_REPORT CANCEL_AFTER");
        assertThat(exchange.core.liveOrderCount()).isEqualTo(1);

        assertThat(exchange.block(start + 6 * SECOND)).first().isEqualTo("b1 #12 CANCELED CANCEL_AFTER");
    }

    @Test
    void shouldBeginTheTimeAnewWithEachBatchInTimeAndRestAfterItHasRunOut() {
        long start = CoreDriver.GENESIS_TIME_NS;
        exchange.block(start, batch(1, cancelAfter(1, 100), limit(11, GOOG, BUY, 90, 5)));
        Batch late = batch(1, limit(12, GOOG, BUY, 90, 5)).sentAt(start, 1);
        exchange.block(start + SECOND, batch(1, cancel(90, 9, GOOG)));
        Batch copy = Batch.of(1, number, 99, cancel(90, 9, GOOG));

        // Neither a late batch nor a copy shows that the program lives.
        assertThat(exchange.block(start + 2 * SECOND, late)).hasSize(1);
        assertThat(exchange.block(start + 2 * SECOND, copy)).hasSize(1);
        assertThat(exchange.block(start + 2 * SECOND + 1)).first().isEqualTo("b1 #11 CANCELED CANCEL_AFTER");

        assertThat(exchange.block(start + 9 * SECOND)).isEmpty();
        exchange.block(start + 10 * SECOND, batch(1, limit(14, GOOG, BUY, 90, 5)));
        assertThat(exchange.block(start + 12 * SECOND)).first().isEqualTo("b1 #14 CANCELED CANCEL_AFTER");
    }

    @Test
    void shouldEndWithAZeroAndRefuseOtherTimes() {
        long start = CoreDriver.GENESIS_TIME_NS;
        assertThat(exchange.block(start, batch(1, cancelAfter(1, 99))))
                .containsExactly("b1 #1 CANCEL_REJECT INVALID_QUANTITY");
        assertThat(exchange.block(start, batch(1, cancelAfter(2, 8_640_001))))
                .containsExactly("b1 #2 CANCEL_REJECT INVALID_QUANTITY");
        assertThat(exchange.block(start, batch(1, cancelAfter(3, 100), limit(11, GOOG, BUY, 90, 5))))
                .first()
                .isEqualTo("b1 #3 MASS_CANCEL_REPORT leaves 100");
        assertThat(exchange.block(start, batch(1, cancelAfter(4, 0))))
                .containsExactly("b1 #4 MASS_CANCEL_REPORT leaves 0");

        assertThat(exchange.block(start + 90_000 * SECOND / 1000)).isEmpty();
        assertThat(exchange.core.liveOrderCount()).isEqualTo(1);
    }
}
