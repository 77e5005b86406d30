package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.replace;
import static io.sealbook.protocol.sbe.RejectReason.BATCH_DUPLICATE;
import static io.sealbook.protocol.sbe.RejectReason.BATCH_EXPIRED;
import static io.sealbook.protocol.sbe.RejectReason.DUPLICATE_CL_ORD_ID;
import static io.sealbook.protocol.sbe.RejectReason.INVALID_FIELD;
import static io.sealbook.protocol.sbe.RejectReason.INVALID_PRICE;
import static io.sealbook.protocol.sbe.RejectReason.INVALID_QUANTITY;
import static io.sealbook.protocol.sbe.RejectReason.TOO_LATE;
import static io.sealbook.protocol.sbe.RejectReason.UNKNOWN_ACCOUNT;
import static io.sealbook.protocol.sbe.RejectReason.UNKNOWN_INSTRUMENT;
import static io.sealbook.protocol.sbe.RejectReason.UNKNOWN_ORDER;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every wrong input has one defined outcome and disturbs nothing else. */
class RefusalTest {
    private static final int GOOG = Markets.GOOG;

    private final CoreDriver market = new CoreDriver(Markets.two());
    private long number;

    private RejectReason refusalOf(int brokerId, Batch.Request request) {
        long refused = market.core.refusedEntryCount();
        market.block(batch(brokerId, request));
        assertThat(market.core.refusedEntryCount()).isEqualTo(refused + 1);
        Report report = market.reports.get(market.reports.size() - 1);
        assertThat(report.execType())
                .isEqualTo(
                        request.action() == Action.CANCEL || request.action() == Action.REPLACE
                                ? ExecType.CANCEL_REJECT
                                : ExecType.REJECTED);
        assertThat(report.clOrdId()).isEqualTo(request.clOrdId());
        return report.rejectReason();
    }

    private Batch batch(int brokerId, Batch.Request... requests) {
        return Batch.of(brokerId, ++number, market.core.lastSequence() + 1, requests);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 200_001, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldRefuseAPriceOffRange(long price) {
        assertThat(refusalOf(1, limit(11, GOOG, BUY, price, 1))).isEqualTo(INVALID_PRICE);
    }

    @Test
    void shouldRefuseAPricedMarketOrder() {
        assertThat(refusalOf(
                        1, new Batch.Request(11, 0, 5, 1, 9, GOOG, Action.NEW, BUY, OrdType.MARKET, TimeInForce.DAY)))
                .isEqualTo(INVALID_PRICE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 1_000_001, Long.MAX_VALUE, Long.MIN_VALUE})
    void shouldRefuseAQuantityOffRange(long quantity) {
        assertThat(refusalOf(1, limit(11, GOOG, BUY, 100, quantity))).isEqualTo(INVALID_QUANTITY);
    }

    @Test
    void shouldRefuseUnknownInstruments() {
        assertThat(refusalOf(1, limit(11, 3, BUY, 100, 1))).isEqualTo(UNKNOWN_INSTRUMENT);
    }

    /** The broker's own order is named, under an account that is another broker's. */
    @ParameterizedTest
    @ValueSource(ints = {8, 11, 0, -1, Integer.MIN_VALUE})
    void shouldRefuseEveryEntryOnAForeignAccount(int account) {
        assertThat(market.block(batch(3, limit(11, GOOG, BUY, 100, 5)))).containsExactly("b3 #11 NEW leaves 5");

        assertThat(refusalOf(3, onAccount(account, Action.NEW, 12, 0))).isEqualTo(UNKNOWN_ACCOUNT);
        assertThat(refusalOf(3, onAccount(account, Action.CANCEL, 13, 11))).isEqualTo(UNKNOWN_ACCOUNT);
        assertThat(refusalOf(3, onAccount(account, Action.REPLACE, 14, 11))).isEqualTo(UNKNOWN_ACCOUNT);

        assertThat(market.bids(GOOG)).containsExactly("5@100");
        assertThat(market.block(batch(3, onAccount(9, Action.CANCEL, 15, 11))))
                .containsExactly("b3 #15 CANCELED leaves 0");
    }

    @Test
    void shouldRefuseEveryEntryOfABrokerWithoutAccounts() {
        MarketConfig two = Markets.two();
        CoreDriver closed = new CoreDriver(MarketConfig.of(
                Batch.CHAIN_ID, two.instruments(), List.of(BrokerConfig.of(1, AccountRanges.NONE)), 64, 100));

        assertThat(closed.block(Batch.of(1, 1, 5, limit(11, GOOG, BUY, 100, 1))))
                .containsExactly("b1 #11 REJECTED " + UNKNOWN_ACCOUNT);
    }

    private static Batch.Request onAccount(int account, Action action, long clOrdId, long origClOrdId) {
        return new Batch.Request(
                clOrdId, origClOrdId, 100, 5, account, GOOG, action, BUY, OrdType.LIMIT, TimeInForce.DAY);
    }

    @Test
    void shouldRefuseIdsThatAreMissingOrTaken() {
        market.block(batch(1, limit(11, GOOG, BUY, 100, 1)));

        assertThat(refusalOf(1, limit(0, GOOG, BUY, 100, 1))).isEqualTo(INVALID_FIELD);
        assertThat(refusalOf(1, limit(11, GOOG, BUY, 100, 1))).isEqualTo(DUPLICATE_CL_ORD_ID);
        assertThat(refusalOf(1, replace(11, 11, GOOG, BUY, 100, 1))).isEqualTo(DUPLICATE_CL_ORD_ID);
        assertThat(market.block(batch(2, limit(11, GOOG, BUY, 100, 1)))).containsExactly("b2 #11 NEW leaves 1");
    }

    @Test
    void shouldNotReachAnotherBrokersOrder() {
        market.block(batch(1, limit(11, GOOG, BUY, 100, 1)));

        assertThat(refusalOf(2, cancel(12, 11, GOOG))).isEqualTo(UNKNOWN_ORDER);
        assertThat(refusalOf(2, replace(12, 11, GOOG, BUY, 100, 1))).isEqualTo(UNKNOWN_ORDER);
        assertThat(refusalOf(1, cancel(12, 11, Markets.STRICT))).isEqualTo(UNKNOWN_ORDER);
        assertThat(market.bids(GOOG)).containsExactly("1@100");
    }

    @Test
    void shouldRefuseAReplaceThatChangesWhatMayNotChange() {
        market.block(batch(1, limit(11, GOOG, BUY, 100, 5)));

        assertThat(refusalOf(1, replace(12, 11, GOOG, SELL, 100, 5))).isEqualTo(INVALID_FIELD);
        assertThat(refusalOf(1, replace(12, 11, GOOG, BUY, 100, 5, TimeInForce.FILL_OR_KILL)))
                .isEqualTo(INVALID_FIELD);
        assertThat(refusalOf(
                        1,
                        new Batch.Request(
                                12, 11, 100, 5, 10, GOOG, Action.REPLACE, BUY, OrdType.LIMIT, TimeInForce.DAY)))
                .isEqualTo(INVALID_FIELD);
        assertThat(refusalOf(1, replace(12, 11, GOOG, BUY, 0, 5))).isEqualTo(INVALID_PRICE);
        assertThat(refusalOf(1, replace(12, 11, GOOG, BUY, 100, 0))).isEqualTo(INVALID_QUANTITY);
        Report report = market.reports.get(market.reports.size() - 1);
        assertThat(report.leavesQty()).isEqualTo(5);
        assertThat(report.orderId()).isEqualTo(1);
        assertThat(market.core.findOrder(1, 11)).isPresent();
    }

    @Test
    void shouldRefuseAReplaceToWhatIsFilledAlready() {
        market.block(batch(1, limit(11, GOOG, BUY, 100, 5)), batch(2, limit(21, GOOG, SELL, 100, 3)));

        assertThat(refusalOf(1, replace(12, 11, GOOG, BUY, 100, 3))).isEqualTo(TOO_LATE);
        assertThat(market.block(batch(1, replace(12, 11, GOOG, BUY, 100, 4))))
                .containsExactly("b1 #12 REPLACED leaves 1");
    }

    @ParameterizedTest
    @CsvSource({
        "40, X",
        "40, E",
        "40, \u00C4",
        "41, 3",
        "41, \u00FF",
        "42, 9",
        "43, 2",
        "44, 1",
        "45, 1",
        "46, 1",
        "47, 1"
    })
    void shouldRefuseUnknownEnumerationsFlagsAndReservedBytes(int offsetInEntry, char value) {
        long refused = market.core.refusedEntryCount();
        byte[] bytes = batch(1, limit(11, GOOG, BUY, 100, 1), limit(12, GOOG, BUY, 100, 1))
                .encode();
        bytes[SignedBatch.ORDERS_OFFSET + offsetInEntry] = (byte) value;

        assertThat(raw(bytes)).containsExactly("b1 #11 REJECTED INVALID_FIELD", "b1 #12 NEW leaves 1");
        assertThat(market.core.refusedEntryCount()).isEqualTo(refused + 1);
        Report report = market.reports.get(market.reports.size() - 2);
        Report sound = market.reports.get(market.reports.size() - 1);
        assertThat(report.action()).isEqualTo(offsetInEntry == 40 ? Action.NULL_VAL : sound.action());
        assertThat(report.side()).isEqualTo(offsetInEntry == 41 ? Side.NULL_VAL : sound.side());
        assertThat(report.ordType()).isEqualTo(offsetInEntry == 42 ? OrdType.NULL_VAL : sound.ordType());
        assertThat(report.timeInForce()).isEqualTo(offsetInEntry == 43 ? TimeInForce.NULL_VAL : sound.timeInForce());
    }

    @Test
    void shouldRefuseTheWholeBatchOutsideItsValidity() {
        market.block();
        long next = market.core.lastSequence() + 1;

        assertThat(market.block(Batch.of(1, 1, next - 1, limit(11, GOOG, BUY, 100, 1), cancel(12, 11, GOOG))))
                .containsExactly("b1 #11 REJECTED BATCH_EXPIRED", "b1 #12 CANCEL_REJECT BATCH_EXPIRED");
        for (long validUntil : new long[] {next + 102, Long.MAX_VALUE, -1, Long.MIN_VALUE}) {
            assertThat(market.block(Batch.of(1, 1, validUntil, limit(11, GOOG, BUY, 100, 1))))
                    .containsExactly("b1 #11 REJECTED " + BATCH_EXPIRED);
        }
        next = market.core.lastSequence() + 1;
        assertThat(market.block(Batch.of(1, 1, next + 100, limit(11, GOOG, BUY, 100, 1))))
                .containsExactly("b1 #11 NEW leaves 1");
    }

    @Test
    void shouldExecuteOnlyCancelsAfterTheTimeToLive() {
        long sent = CoreDriver.GENESIS_TIME_NS + CoreDriver.SECOND_NS;
        long limit = sent + 2 * CoreDriver.SECOND_NS;

        assertThat(market.block(
                        limit, Batch.of(1, 1, 9, limit(11, GOOG, BUY, 100, 1)).sentAt(sent, 200)))
                .as("the last instant")
                .containsExactly("b1 #11 NEW leaves 1");
        assertThat(market.block(
                        limit + 1,
                        Batch.of(1, 2, 9, limit(12, GOOG, BUY, 100, 1), cancel(13, 11, GOOG), cancel(14, 99, GOOG))
                                .sentAt(sent, 200),
                        Batch.of(1, 2, 9, limit(15, GOOG, BUY, 100, 1)),
                        Batch.of(1, 3, 9, limit(16, GOOG, BUY, 100, 1)).sentAt(Long.MIN_VALUE, 1),
                        Batch.of(1, 4, 9, limit(17, GOOG, BUY, 100, 1)).sentAt(Long.MAX_VALUE, 1)))
                .containsExactly(
                        "b1 #12 REJECTED TIME_TO_LIVE",
                        "b1 #13 CANCELED leaves 0",
                        "b1 #14 CANCEL_REJECT UNKNOWN_ORDER",
                        "b1 #15 REJECTED " + BATCH_DUPLICATE,
                        "b1 #16 REJECTED TIME_TO_LIVE",
                        "b1 #17 NEW leaves 1");
        assertThat(market.core.lastNumber(1, 0)).isEqualTo(4);
    }

    @Test
    void shouldRefuseANumberThatIsNotAboveTheLastOfItsSession() {
        market.block(Batch.of(1, 5, 3, limit(11, GOOG, BUY, 100, 1)));

        assertThat(market.block(
                        Batch.of(1, 5, 3, limit(12, GOOG, BUY, 100, 1)),
                        Batch.of(1, 4, 3, limit(12, GOOG, BUY, 100, 1)),
                        Batch.of(2, 5, 3, limit(13, GOOG, BUY, 100, 1))))
                .containsExactly(
                        "b1 #12 REJECTED " + BATCH_DUPLICATE,
                        "b1 #12 REJECTED " + BATCH_DUPLICATE,
                        "b2 #13 NEW leaves 1");
        market.block();
        market.block();
        assertThat(market.block(
                        Batch.of(1, 5, 50, limit(14, GOOG, BUY, 100, 1)),
                        Batch.of(1, 6, 50, limit(15, GOOG, BUY, 100, 1))))
                .as("after its first batch could have been valid")
                .containsExactly("b1 #14 REJECTED " + BATCH_DUPLICATE, "b1 #15 NEW leaves 1");
        assertThat(market.core.lastNumber(1, 0)).isEqualTo(6);
        assertThat(market.core.lastNumber(1, 1)).isZero();
        assertThat(market.core.lastNumber(2, 0)).isEqualTo(5);
    }

    @Test
    void shouldTakeNumbersAsUnsignedAndRememberNoneOfARefusedBatch() {
        assertThat(market.block(
                        Batch.of(1, 0, 3, limit(11, GOOG, BUY, 100, 1)),
                        Batch.of(1, Long.MAX_VALUE, 3, limit(12, GOOG, BUY, 100, 1)),
                        Batch.of(1, Long.MIN_VALUE, 3, limit(13, GOOG, BUY, 100, 1)),
                        Batch.of(1, -1, 0, limit(14, GOOG, BUY, 100, 1)),
                        Batch.of(1, Long.MIN_VALUE + 1, 3, limit(15, GOOG, BUY, 100, 1)),
                        Batch.of(1, 7, 3, limit(16, GOOG, BUY, 100, 1))))
                .containsExactly(
                        "b1 #11 REJECTED " + BATCH_DUPLICATE,
                        "b1 #12 NEW leaves 1",
                        "b1 #13 NEW leaves 1",
                        "b1 #14 REJECTED " + BATCH_EXPIRED,
                        "b1 #15 NEW leaves 1",
                        "b1 #16 REJECTED " + BATCH_DUPLICATE);
    }

    @Test
    void shouldRefuseABatchForAnotherChain() {
        assertThat(altered(b -> b[8]++)).containsExactly("b1 #11 REJECTED INVALID_FIELD");
        assertThat(altered(b -> b[81] = 1)).containsExactly("b1 #11 REJECTED INVALID_FIELD");
        assertThat(altered(b -> b[78] = 16)).as("session").containsExactly("b1 #11 REJECTED INVALID_FIELD");
    }

    @Test
    void shouldIgnoreAndCountWhatIsNoBatchOfAKnownBroker() {
        List<Consumer<byte[]>> damages = List.of(
                b -> b[0]++, // block length
                b -> b[2]++, // template
                b -> b[4]++, // schema
                b -> b[6]++, // version
                b -> b[72] = 99, // broker
                b -> b[84]++, // entry length
                b -> b[86]++, // one entry more than there is
                b -> b[86] = 0); // no entry
        for (Consumer<byte[]> damage : damages) {
            assertThat(altered(damage)).isEmpty();
        }
        byte[] whole = batch(1, limit(11, GOOG, BUY, 100, 1)).encode();
        for (int length = 0; length < whole.length; length++) {
            assertThat(raw(Arrays.copyOf(whole, length))).isEmpty();
        }
        assertThat(raw(Arrays.copyOf(whole, whole.length + 1))).isEmpty();
        Batch.Request[] tooMany = new Batch.Request[65];
        Arrays.fill(tooMany, limit(11, GOOG, BUY, 100, 1));
        assertThat(raw(batch(1, tooMany).encode())).isEmpty();

        assertThat(market.core.ignoredBatchCount()).isEqualTo(damages.size() + whole.length + 2);
        assertThat(market.core.reportCount()).isZero();
    }

    @Test
    void shouldReadABatchWithItsSignatureBehindIt() {
        byte[] bytes = batch(1, limit(11, GOOG, BUY, 100, 1)).encode();

        assertThat(raw(Arrays.copyOf(bytes, SignedBatch.signedLength(1)))).containsExactly("b1 #11 NEW leaves 1");
    }

    @Test
    void shouldAcceptANullSideInACancelOnly() {
        market.block(batch(1, limit(11, GOOG, BUY, 100, 1)));

        assertThat(refusalOf(1, limit(12, GOOG, Side.NULL_VAL, 100, 1))).isEqualTo(INVALID_FIELD);
        assertThat(market.block(batch(1, cancel(12, 11, GOOG)))).containsExactly("b1 #12 CANCELED leaves 0");
    }

    /** Any bytes at all: nothing is thrown, and the same bytes give the same digest. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldSurviveRandomDamageAlike(long seed) {
        CoreDriver other = new CoreDriver(new MatchingCore(Markets.two(), 123));
        java.util.SplittableRandom random = new java.util.SplittableRandom(seed);
        for (int block = 1; block <= 300; block++) {
            byte[] bytes = batch(1, limit(block, GOOG, BUY, 100, 5), limit(block + 1, GOOG, SELL, 100, 4))
                    .encode();
            for (int i = 0; i < 3; i++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            long time = CoreDriver.GENESIS_TIME_NS + block;
            market.rawBlock(time, bytes);
            other.rawBlock(time, bytes);
        }
        assertThat(other.digest()).isEqualTo(market.digest());
        assertThat(other.core.stateDigest()).isEqualTo(market.core.stateDigest());
    }

    private List<String> altered(Consumer<byte[]> damage) {
        byte[] bytes = batch(1, limit(11, GOOG, BUY, 100, 1)).encode();
        damage.accept(bytes);
        return raw(bytes);
    }

    private List<String> raw(byte[] bytes) {
        int first = market.reports.size();
        market.core.beginBlock(market.core.lastSequence() + 1, CoreDriver.GENESIS_TIME_NS, market);
        market.core.onBatch(0, new UnsafeBuffer(bytes), 0, bytes.length);
        market.core.endBlock();
        return market.reports.subList(first, market.reports.size()).stream()
                .map(Report::brief)
                .toList();
    }
}
