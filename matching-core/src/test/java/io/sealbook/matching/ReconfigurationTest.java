package io.sealbook.matching;

import static io.sealbook.matching.Batch.cancel;
import static io.sealbook.matching.Batch.limit;
import static io.sealbook.matching.Batch.replace;
import static io.sealbook.protocol.sbe.Side.BUY;
import static io.sealbook.protocol.sbe.Side.SELL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ConfigurationLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What another configuration does to entries and to orders that rest. */
class ReconfigurationTest {
    private static final int GOOG = Markets.GOOG;
    private static final int STRICT = Markets.STRICT;
    private static final MarketConfig CONFIG = Markets.two();

    private final CoreDriver exchange = new CoreDriver(CONFIG);
    private MarketConfig config = CONFIG;
    private long number;

    private Batch batch(int brokerId, Batch.Request... requests) {
        return Batch.of(brokerId, ++number, exchange.core.lastSequence() + 1, requests);
    }

    private List<String> send(int brokerId, Batch.Request... requests) {
        return exchange.block(batch(brokerId, requests));
    }

    private void reconfigure(List<InstrumentConfig> instruments, List<BrokerConfig> brokers) {
        config = MarketConfig.of(Batch.CHAIN_ID, instruments, brokers, 64, 100);
        exchange.core.reconfigure(config);
    }

    private void setBroker(int place, BrokerConfig broker) {
        List<BrokerConfig> brokers = new ArrayList<>(config.brokers());
        brokers.set(place, broker);
        reconfigure(config.instruments(), brokers);
    }

    private void setStatus(BrokerStatus status) {
        BrokerConfig before = config.brokers().get(0);
        setBroker(
                0,
                new BrokerConfig(
                        1, before.accounts(), before.liveOrderCountMax(), status, before.keys(), before.rates()));
    }

    private void setGoog(long priceMin, long priceMax, long quantityMax, boolean isHalted) {
        reconfigure(
                List.of(
                        new InstrumentConfig(GOOG, "GOOG", 2, priceMin, priceMax, quantityMax, true, isHalted),
                        config.instruments().get(1)),
                config.brokers());
    }

    @Test
    void shouldTradeANewInstrumentAndHearANewBroker() {
        assertThat(send(1, limit(11, 3, BUY, 100, 5))).containsExactly("b1 #11 REJECTED UNKNOWN_INSTRUMENT");
        assertThat(send(4, limit(41, GOOG, BUY, 100, 5))).isEmpty();
        List<InstrumentConfig> instruments = new ArrayList<>(config.instruments());
        instruments.add(new InstrumentConfig(3, "NEW", 2, 90, 110, 100, true));
        List<BrokerConfig> brokers = new ArrayList<>(config.brokers());
        brokers.add(BrokerConfig.of(4));

        reconfigure(instruments, brokers);

        assertThat(send(4, limit(42, 3, SELL, 100, 5))).containsExactly("b4 #42 NEW leaves 5");
        assertThat(send(1, limit(12, 3, BUY, 100, 2))).hasSize(3);
        assertThat(exchange.asks(3)).containsExactly("3@100");
        assertThat(exchange.core.lastReportSequence(4)).isEqualTo(2);
        assertThat(exchange.core.lastNumber(4, 0)).isEqualTo(3);
        assertThat(exchange.core.liveOrderCount(4)).isEqualTo(1);
    }

    @Test
    void shouldLetASuspendedBrokerOnlyCancel() {
        send(1, limit(11, GOOG, BUY, 100, 5), limit(12, GOOG, BUY, 101, 5));
        setStatus(BrokerStatus.SUSPENDED);

        assertThat(send(1, limit(13, GOOG, BUY, 100, 5), replace(14, 11, GOOG, BUY, 100, 4), cancel(15, 12, GOOG)))
                .containsExactly(
                        "b1 #13 REJECTED BROKER_SUSPENDED",
                        "b1 #14 CANCEL_REJECT BROKER_SUSPENDED",
                        "b1 #15 CANCELED leaves 0");
        assertThat(send(2, limit(21, GOOG, SELL, 100, 5)))
                .as("what rests may still trade")
                .hasSize(3);
        setStatus(BrokerStatus.ACTIVE);
        assertThat(send(1, limit(16, GOOG, BUY, 100, 5))).containsExactly("b1 #16 NEW leaves 5");
    }

    @Test
    void shouldCancelTheOrdersOfARemovedBrokerAndRefuseIt() {
        send(1, limit(11, GOOG, BUY, 100, 5), limit(12, STRICT, SELL, 101, 5), limit(13, GOOG, SELL, 102, 5));
        send(2, limit(21, GOOG, BUY, 99, 5));
        long refused = exchange.core.refusedEntryCount();
        setStatus(BrokerStatus.REMOVED);

        assertThat(send(1, cancel(14, 11, GOOG)))
                .containsExactly(
                        "b1 #11 CANCELED BROKER_REMOVED",
                        "b1 #13 CANCELED BROKER_REMOVED",
                        "b1 #12 CANCELED BROKER_REMOVED",
                        "b1 #14 CANCEL_REJECT BROKER_REMOVED");

        assertThat(exchange.core.liveOrderCount(1)).isZero();
        assertThat(exchange.bids(GOOG)).containsExactly("5@99");
        assertThat(exchange.core.refusedEntryCount()).as("ends are no refusals").isEqualTo(refused + 1);
        assertThat(exchange.core.lastNumber(1, 0)).isEqualTo(number);
    }

    @Test
    void shouldKeepWhatRestsInAHaltedInstrument() {
        send(1, limit(11, GOOG, BUY, 100, 5), limit(12, GOOG, BUY, 101, 5));
        setGoog(1, 200_000, 1_000_000, true);

        assertThat(send(
                        1,
                        limit(13, GOOG, SELL, 100, 5),
                        limit(14, GOOG, SELL, 0, 5),
                        replace(15, 11, GOOG, BUY, 100, 4),
                        cancel(16, 12, GOOG),
                        limit(17, STRICT, BUY, 100, 5)))
                .containsExactly(
                        "b1 #13 REJECTED INSTRUMENT_HALTED",
                        "b1 #14 REJECTED INSTRUMENT_HALTED",
                        "b1 #15 CANCEL_REJECT INSTRUMENT_HALTED",
                        "b1 #16 CANCELED leaves 0",
                        "b1 #17 NEW leaves 5");
        assertThat(exchange.bids(GOOG)).containsExactly("5@100");
        setGoog(1, 200_000, 1_000_000, false);
        assertThat(send(2, limit(21, GOOG, SELL, 100, 5))).hasSize(3);
    }

    @Test
    void shouldRefuseEachEntryUnderAKeyThatIsNotInEffectAndUseTheNumberUp() {
        BrokerKeys keys = BrokerKeys.of(List.of(new BrokerKeys.Term(7, 0, 3), new BrokerKeys.Term(2, 3, 0)));
        setBroker(0, new BrokerConfig(1, AccountRanges.ALL, 100, BrokerStatus.ACTIVE, keys, RateQuota.NONE));

        String refusal = "b1 #11 REJECTED KEY_NOT_IN_EFFECT";
        assertThat(exchange.block(batch(1, bid(11)).signedWith(2)))
                .as("block 1")
                .containsExactly(refusal);
        assertThat(exchange.core.lastNumber(1, 0)).isEqualTo(1);
        assertThat(exchange.block(batch(1, bid(11)).signedWith(7))).containsExactly("b1 #11 NEW leaves 5");
        assertThat(exchange.block(
                        batch(1, bid(12)).signedWith(7), batch(1, bid(13)).signedWith(2)))
                .as("both in block 3")
                .containsExactly("b1 #12 NEW leaves 5", "b1 #13 NEW leaves 5");
        assertThat(exchange.block(
                        batch(1, cancel(14, 11, GOOG)).signedWith(7),
                        batch(1, cancel(15, 11, GOOG)).signedWith(2)))
                .containsExactly("b1 #14 CANCEL_REJECT KEY_NOT_IN_EFFECT", "b1 #15 CANCELED leaves 0");
        assertThat(exchange.block(batch(1, bid(16)).signedWith(9)))
                .as("no such key")
                .containsExactly("b1 #16 REJECTED KEY_NOT_IN_EFFECT");
    }

    @Test
    void shouldCancelNothingUnderALowerQuota() {
        send(1, bid(11), bid(12), bid(13));
        setBroker(0, new BrokerConfig(1, AccountRanges.ALL, 2));

        assertThat(send(1, bid(14), cancel(15, 11, GOOG), bid(16), cancel(17, 12, GOOG), bid(18)))
                .containsExactly(
                        "b1 #14 REJECTED LIVE_ORDER_QUOTA",
                        "b1 #15 CANCELED leaves 0",
                        "b1 #16 REJECTED LIVE_ORDER_QUOTA",
                        "b1 #17 CANCELED leaves 0",
                        "b1 #18 NEW leaves 5");
    }

    @Test
    void shouldCancelOrdersForAccountsThatAreNoLongerTheBrokers() {
        send(1, bid(11));
        setBroker(0, new BrokerConfig(1, AccountRanges.of(10), 2));

        assertThat(send(1, bid(12)))
                .containsExactly("b1 #11 CANCELED UNKNOWN_ACCOUNT", "b1 #12 REJECTED UNKNOWN_ACCOUNT");
    }

    @Test
    void shouldCancelWhatLiesOutsideNewLimitsBeforeTheDayEnds() {
        send(1, limit(11, GOOG, BUY, 99, 5), limit(12, GOOG, BUY, 100, 5), limit(13, GOOG, BUY, 100, 51));
        send(2, limit(21, GOOG, SELL, 150, 5), limit(22, GOOG, SELL, 151, 5), limit(23, STRICT, SELL, 151, 5));
        setGoog(100, 150, 50, false);
        long nextDay = exchange.core.lastBlockTimeNs() + 24 * 3_600 * CoreDriver.SECOND_NS;

        assertThat(exchange.block(nextDay))
                .containsExactly(
                        "b1 #13 CANCELED OUTSIDE_LIMITS",
                        "b1 #11 CANCELED OUTSIDE_LIMITS",
                        "b2 #22 CANCELED OUTSIDE_LIMITS",
                        "b1 #12 EXPIRED leaves 0",
                        "b2 #21 EXPIRED leaves 0");
        assertThat(send(1, bid(14), limit(15, GOOG, BUY, 99, 5)))
                .containsExactly("b1 #14 NEW leaves 5", "b1 #15 REJECTED INVALID_PRICE");
    }

    @Test
    void shouldKeepPriorityWhenLimitsMove() {
        send(1, bid(11), bid(12), limit(13, GOOG, BUY, 170, 1), limit(14, GOOG, SELL, 5_000, 9));
        send(2, bid(21));
        setGoog(37, 300_001, 1_000_000, false);

        assertThat(send(2, limit(22, GOOG, SELL, 100, 12)))
                .containsExactly(
                        "b2 #22 NEW leaves 12",
                        "b2 #22 TRADE 1@170 leaves 11 PARTIALLY_FILLED",
                        "b1 #13 TRADE 1@170 leaves 0 FILLED",
                        "b2 #22 TRADE 5@100 leaves 6 PARTIALLY_FILLED",
                        "b1 #11 TRADE 5@100 leaves 0 FILLED",
                        "b2 #22 TRADE 5@100 leaves 1 PARTIALLY_FILLED",
                        "b1 #12 TRADE 5@100 leaves 0 FILLED",
                        "b2 #22 TRADE 1@100 leaves 0 FILLED",
                        "b2 #21 TRADE 1@100 leaves 4 PARTIALLY_FILLED");
        assertThat(exchange.asks(GOOG)).containsExactly("9@5000");
        assertThat(send(1, limit(15, GOOG, SELL, 300_001, 1))).containsExactly("b1 #15 NEW leaves 1");
    }

    /** The value of the largest order fits in 63 bits under either limits, but not the sum of parts under both. */
    @Test
    void shouldRefuseAReplaceWhoseValueCouldExceed63Bits() {
        setGoog(1, 60_000_000, 150_000_000_000L, false);
        send(1, limit(11, GOOG, BUY, 60_000_000, 150_000_000_000L));
        send(2, limit(21, GOOG, SELL, 60_000_000, 140_000_000_000L));
        send(1, replace(12, 11, GOOG, BUY, 10, 150_000_000_000L));
        setGoog(1, 16_000_000, 540_000_000_000L, false);

        assertThat(send(
                        1,
                        replace(13, 12, GOOG, BUY, 10, 540_000_000_000L),
                        replace(14, 12, GOOG, BUY, 10, 190_000_000_000L)))
                .containsExactly("b1 #13 CANCEL_REJECT INVALID_QUANTITY", "b1 #14 REPLACED leaves 50000000000");
    }

    @Test
    void shouldBindTheResultsToTheNewConfiguration() {
        exchange.block();
        byte[] expected = exchange.core.resultDigest().bytes();
        setStatus(BrokerStatus.SUSPENDED);
        ResultTree tree = new ResultTree();
        tree.add(ConfigurationLeaf.hash(Digest.of(ConfigDigest.of(config))));

        exchange.block();

        ResultLink link = new ResultLink();
        link.apply(expected, 2, tree);
        assertThat(exchange.core.resultDigest()).isEqualTo(Digest.of(expected));
        exchange.block();
        tree.reset();
        link.apply(expected, 3, tree);
        assertThat(exchange.core.resultDigest()).isEqualTo(Digest.of(expected));
    }

    @Test
    void shouldNotMoveWhenNothingThatDecidesChanges() {
        CoreDriver other = new CoreDriver(CONFIG);
        exchange.core.reconfigure(Markets.two());
        exchange.core.stateDigest();
        List<InstrumentConfig> renamed = List.of(
                new InstrumentConfig(GOOG, "ALPHABET", 2, 1, 200_000, 1_000_000, true),
                CONFIG.instruments().get(1));
        reconfigure(renamed, CONFIG.brokers());

        exchange.block();
        other.block();

        assertThat(exchange.digest()).isEqualTo(other.digest());
        assertThat(exchange.core.config().instruments()).isEqualTo(renamed);
    }

    @Test
    void shouldRefuseAConfigurationThatDoesNotContinueTheOneBefore() {
        List<UnaryOperator<MarketConfig>> faults = List.of(
                c -> MarketConfig.of(Batch.CHAIN_ID, c.instruments().subList(0, 1), c.brokers(), 64, 100),
                c -> MarketConfig.of(Batch.CHAIN_ID, c.instruments().reversed(), c.brokers(), 64, 100),
                c -> MarketConfig.of(
                        Batch.CHAIN_ID, c.instruments(), c.brokers().subList(0, 2), 64, 100),
                c -> MarketConfig.of(
                        Batch.CHAIN_ID, c.instruments(), c.brokers().reversed(), 64, 100),
                c -> MarketConfig.of(Batch.CHAIN_ID + 1, c.instruments(), c.brokers(), 64, 100),
                c -> MarketConfig.of(Batch.CHAIN_ID, c.instruments(), c.brokers(), 65, 100),
                c -> MarketConfig.of(Batch.CHAIN_ID, c.instruments(), c.brokers(), 64, 101));
        for (UnaryOperator<MarketConfig> fault : faults) {
            MarketConfig next = fault.apply(CONFIG);
            assertThatThrownBy(() -> exchange.core.reconfigure(next)).isInstanceOf(BrokenInvariantException.class);
        }
        exchange.core.beginBlock(1, 1, exchange);
        assertThatThrownBy(() -> exchange.core.reconfigure(CONFIG)).isInstanceOf(BrokenInvariantException.class);
    }

    @Test
    void shouldWriteNoSnapshotOnceReconfigured() {
        setStatus(BrokerStatus.SUSPENDED);

        assertThatThrownBy(exchange.core::stateDigest).isInstanceOf(BrokenInvariantException.class);
        exchange.block();
        assertThat(exchange.core.stateDigest()).hasSize(32);
    }

    private static Batch.Request bid(long clOrdId) {
        return limit(clOrdId, GOOG, BUY, 100, 5);
    }
}
