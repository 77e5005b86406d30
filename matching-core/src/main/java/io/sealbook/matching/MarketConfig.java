package io.sealbook.matching;

import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.InstrumentStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The agreed rules of a market. Every replica must hold an equal one, because it decides outputs; {@link ConfigDigest}
 * is stored in each snapshot. Immutable.
 *
 * @param chainId batches for another chain are refused
 * @param instruments in the order in which snapshots list them
 * @param brokers in the order in which snapshots list them
 * @param orderCountMax entries in one batch, 1..1024
 * @param validityBlocksMax how far ahead of the current block a batch may be valid
 * @param sessionsPerBroker sessions that each broker has, 1..1,024
 * @param tradingDayOffsetNs added to block time before it is cut into days of 24 h; 0 turns the day at midnight UTC
 * @param liveOrderCountMax orders that may rest at once; one more is refused with CAPACITY
 */
public record MarketConfig(
        long chainId,
        List<InstrumentConfig> instruments,
        List<BrokerConfig> brokers,
        int orderCountMax,
        long validityBlocksMax,
        int sessionsPerBroker,
        long tradingDayOffsetNs,
        int liveOrderCountMax) {
    /** 64 bytes each: 1 GiB when full. */
    public static final int LIVE_ORDER_COUNT_MAX = GenesisFile.LIVE_ORDER_COUNT_MAX;

    /** The default of the genesis file. */
    private static final int SESSIONS_PER_BROKER = 16;

    private static final int VALIDITY_BLOCKS_MAX = GenesisFile.VALIDITY_BLOCKS_MAX;
    private static final int BROKER_COUNT_MAX = GenesisFile.BROKER_COUNT_MAX;
    private static final long PRICE_SUM_MAX = GenesisFile.PRICE_SUM_MAX;

    private static final int PRICES_PER_PAGE = 64;

    /**
     * Checks the rules.
     *
     * @throws IllegalArgumentException if a limit is out of range or an id occurs twice; the message names the fact
     */
    public MarketConfig {
        instruments = List.copyOf(instruments);
        brokers = List.copyOf(brokers);
        Require.that(
                1 <= orderCountMax && orderCountMax <= io.sealbook.vocabulary.SignedBatch.ORDER_COUNT_LIMIT,
                "orderCountMax " + orderCountMax);
        Require.that(
                1 <= validityBlocksMax && validityBlocksMax <= VALIDITY_BLOCKS_MAX,
                "validityBlocksMax " + validityBlocksMax + ", expected 1.." + VALIDITY_BLOCKS_MAX);
        Require.that(
                1 <= sessionsPerBroker && sessionsPerBroker <= GenesisFile.SESSIONS_PER_BROKER_MAX,
                "sessionsPerBroker " + sessionsPerBroker + ", expected 1.." + GenesisFile.SESSIONS_PER_BROKER_MAX);
        Require.that(
                1 <= liveOrderCountMax && liveOrderCountMax <= LIVE_ORDER_COUNT_MAX,
                "liveOrderCountMax " + liveOrderCountMax + ", expected 1.." + LIVE_ORDER_COUNT_MAX);
        Require.that(brokers.size() <= BROKER_COUNT_MAX, brokers.size() + " brokers, at most " + BROKER_COUNT_MAX);
        Set<Integer> ids = new HashSet<>();
        for (BrokerConfig broker : brokers) {
            Require.that(
                    ids.add(broker.brokerId()),
                    "broker " + Integer.toUnsignedString(broker.brokerId()) + " occurs twice");
        }
        ids.clear();
        for (InstrumentConfig instrument : instruments) {
            String name = "instrument " + Integer.toUnsignedString(instrument.instrumentId());
            Require.that(ids.add(instrument.instrumentId()), name + " occurs twice");
            Require.that(
                    instrument.quantityMax() <= Long.MAX_VALUE / liveOrderCountMax,
                    name + ": quantityMax " + instrument.quantityMax() + " times liveOrderCountMax " + liveOrderCountMax
                            + " exceeds 63 bits");
        }
        long prices = instruments.stream()
                .mapToLong(instrument -> (long) PRICES_PER_PAGE
                        * Math.ceilDiv(instrument.prices().count(), PRICES_PER_PAGE))
                .sum();
        Require.that(
                prices <= PRICE_SUM_MAX,
                "the instruments admit too many prices together: " + prices + ", at most " + PRICE_SUM_MAX);
    }

    /**
     * Returns a market with the default capacities and number of sessions whose days turn at midnight UTC.
     *
     * @param chainId batches of another chain are refused
     * @param instruments in the order in which snapshots list them, at least one
     * @param brokers in the order in which snapshots list them, at least one
     * @param orderCountMax entries of one batch, 1..1024
     * @param validityBlocksMax how far ahead of the current block a batch may be valid
     */
    public static MarketConfig of(
            long chainId,
            List<InstrumentConfig> instruments,
            List<BrokerConfig> brokers,
            int orderCountMax,
            long validityBlocksMax) {
        return of(
                chainId,
                instruments,
                brokers,
                orderCountMax,
                validityBlocksMax,
                SESSIONS_PER_BROKER,
                LIVE_ORDER_COUNT_MAX);
    }

    private static MarketConfig of(
            long chainId,
            List<InstrumentConfig> instruments,
            List<BrokerConfig> brokers,
            int orderCountMax,
            long validityBlocksMax,
            int sessionsPerBroker,
            int liveOrderCountMax) {
        return new MarketConfig(
                chainId,
                instruments,
                brokers,
                orderCountMax,
                validityBlocksMax,
                sessionsPerBroker,
                0,
                liveOrderCountMax);
    }

    /**
     * Returns the market that a genesis message describes.
     *
     * @param genesis with its defaults filled in, as {@link GenesisFile#genesis} returns it, or a later configuration
     */
    public static MarketConfig of(Genesis genesis) {
        return of(
                genesis.getChainId(),
                genesis.getInstrumentsList().stream()
                        .map(i -> new InstrumentConfig(
                                i.getInstrumentId(),
                                i.getSymbol(),
                                i.getPriceDecimals(),
                                i.getPriceMin(),
                                i.getPriceMax(),
                                i.getQuantityMax(),
                                i.getReduceKeepsPriority(),
                                i.getStatus() == InstrumentStatus.INSTRUMENT_HALTED))
                        .toList(),
                genesis.getBrokersList().stream().map(MarketConfig::broker).toList(),
                genesis.getParameters().getOrderCountMax(),
                genesis.getParameters().getValidityBlocksMax(),
                genesis.getParameters().getSessionsPerBroker(),
                genesis.getParameters().getLiveOrderCountMax());
    }

    private static BrokerConfig broker(Broker broker) {
        BrokerStatus status = switch (broker.getStatus()) {
            case BROKER_ACTIVE -> BrokerStatus.ACTIVE;
            case BROKER_SUSPENDED -> BrokerStatus.SUSPENDED;
            case BROKER_REMOVED -> BrokerStatus.REMOVED;
            case UNRECOGNIZED -> throw new IllegalArgumentException("unknown status of a broker");
        };
        BrokerKeys keys = BrokerKeys.of(broker.getKeysList().stream()
                .map(key -> new BrokerKeys.Term(key.getKeyId(), key.getFromBlock(), key.getUntilBlock()))
                .toList());
        return new BrokerConfig(
                broker.getBrokerId(),
                AccountRanges.of(broker),
                broker.getLiveOrderCountMax(),
                status,
                keys,
                RateQuota.of(broker));
    }
}
