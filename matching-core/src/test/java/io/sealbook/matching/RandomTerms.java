package io.sealbook.matching;

import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.AccountRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Seeded configurations, each of which continues the one before by a few changes of every kind. */
final class RandomTerms {
    private static final int BROKERS_MAX = 6;
    private static final int INSTRUMENTS_MAX = 5;

    private final SplittableRandom random;
    private final long priceLow;
    private final int priceSpan;
    private MarketConfig config;

    /** Continues {@code first}; limits of prices lie around {@code priceLow .. priceLow + priceSpan}. */
    RandomTerms(long seed, MarketConfig first, long priceLow, int priceSpan) {
        this.random = new SplittableRandom(seed);
        this.config = first;
        this.priceLow = priceLow;
        this.priceSpan = priceSpan;
    }

    /** Returns the configuration after the last returned one, from a block on. */
    MarketConfig next(long block) {
        List<BrokerConfig> brokers = new ArrayList<>(config.brokers());
        List<InstrumentConfig> instruments = new ArrayList<>(config.instruments());
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int broker = random.nextInt(brokers.size());
            int instrument = random.nextInt(instruments.size());
            switch (random.nextInt(7)) {
                case 0 -> {
                    if (brokers.size() < BROKERS_MAX) {
                        brokers.add(BrokerConfig.of(brokers.size() + 1));
                    }
                }
                case 1 -> {
                    if (instruments.size() < INSTRUMENTS_MAX) {
                        instruments.add(limits(instruments.size() + 1));
                    }
                }
                case 2 -> instruments.set(instrument, limits(instrument + 1));
                case 3 -> brokers.set(broker, standing(brokers.get(broker)));
                case 4 -> brokers.set(broker, keys(brokers.get(broker), block));
                case 5 -> brokers.set(broker, rates(brokers.get(broker)));
                default -> brokers.set(broker, quota(brokers.get(broker)));
            }
        }
        config = new MarketConfig(
                config.chainId(),
                instruments,
                brokers,
                config.orderCountMax(),
                config.validityBlocksMax(),
                config.sessionsPerBroker(),
                config.tradingDayOffsetNs(),
                config.liveOrderCountMax());
        return config;
    }

    private InstrumentConfig limits(int instrumentId) {
        long min = Math.max(1, priceLow - 3 + random.nextInt(6));
        long max = priceLow + priceSpan - 3 + random.nextInt(200);
        return new InstrumentConfig(
                instrumentId, "I", 2, min, max, 20 + random.nextInt(40), random.nextBoolean(), random.nextInt(4) == 0);
    }

    private BrokerConfig standing(BrokerConfig broker) {
        BrokerStatus status = BrokerStatus.values()[random.nextInt(4) % 3];
        AccountRanges accounts = random.nextInt(4) == 0 ? AccountRanges.of(10) : AccountRanges.ALL;
        return new BrokerConfig(
                broker.brokerId(), accounts, broker.liveOrderCountMax(), status, broker.keys(), broker.rates());
    }

    private BrokerConfig quota(BrokerConfig broker) {
        return new BrokerConfig(
                broker.brokerId(),
                broker.accounts(),
                1 + random.nextInt(30),
                broker.status(),
                broker.keys(),
                broker.rates());
    }

    /** Low enough to be reached by a flow of a few orders per second, with ten seconds of quota at once. */
    private BrokerConfig rates(BrokerConfig broker) {
        RateQuota rates = new RateQuota(random.nextInt(4), random.nextInt(3) * 100L);
        return new BrokerConfig(
                broker.brokerId(),
                broker.accounts(),
                broker.liveOrderCountMax(),
                broker.status(),
                broker.keys(),
                rates);
    }

    private BrokerConfig keys(BrokerConfig broker, long block) {
        BrokerKeys keys = random.nextInt(3) == 0
                ? BrokerKeys.ALL
                : BrokerKeys.of(List.of(
                        new BrokerKeys.Term(1, block + random.nextInt(4), 0),
                        new BrokerKeys.Term(0, 0, block + random.nextInt(4))));
        return new BrokerConfig(
                broker.brokerId(),
                broker.accounts(),
                broker.liveOrderCountMax(),
                broker.status(),
                keys,
                broker.rates());
    }
}
