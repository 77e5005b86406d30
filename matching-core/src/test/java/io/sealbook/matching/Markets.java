package io.sealbook.matching;

import io.sealbook.protocol.AccountRanges;
import java.util.List;
import java.util.stream.IntStream;

/** Small markets for tests. */
final class Markets {
    static final int GOOG = 1;
    static final int STRICT = 2;

    private Markets() {}

    /**
     * Returns two instruments (the second's reduces lose their place), broker 1 with any account, broker 2 with 9 and
     * 555, broker 3 with 9 and 10. A genesis file gives an account to one broker; the core does not rely on it.
     */
    static MarketConfig two() {
        return MarketConfig.of(
                Batch.CHAIN_ID,
                List.of(
                        new InstrumentConfig(GOOG, "GOOG", 2, 1, 200_000, 1_000_000, true),
                        new InstrumentConfig(STRICT, "STRICT", 2, 50, 150, 1_000, false)),
                List.of(
                        BrokerConfig.of(1),
                        BrokerConfig.of(2, AccountRanges.of(9, 555)),
                        BrokerConfig.of(3, AccountRanges.of(9, 10))),
                64,
                100);
    }

    /** Returns {@code count} instruments with ids from 1 over prices 1..priceMax, and four brokers. */
    static MarketConfig many(int count, long priceMax) {
        return MarketConfig.of(
                Batch.CHAIN_ID,
                IntStream.rangeClosed(1, count)
                        .mapToObj(i -> new InstrumentConfig(i, "I" + i, 2, 1, priceMax, 1_000_000, i % 2 == 1))
                        .toList(),
                IntStream.rangeClosed(1, 4).mapToObj(BrokerConfig::of).toList(),
                64,
                100);
    }
}
