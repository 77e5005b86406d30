package io.sealbook.matching;

import io.sealbook.protocol.AccountRanges;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * SHA-256 over everything in a configuration that decides outputs or the form of a snapshot; symbols and decimals are
 * left out.
 */
final class ConfigDigest {
    private static final byte[] TAG = "SBMCONF3".getBytes(StandardCharsets.US_ASCII);

    private ConfigDigest() {}

    static byte[] of(MarketConfig config) {
        SnapshotOutput out = new SnapshotOutput(OutputStream.nullOutputStream());
        try {
            put(out, config);
            return out.finish();
        } catch (IOException e) {
            throw new UncheckedIOException("a stream that goes nowhere cannot fail", e);
        }
    }

    private static void put(SnapshotOutput out, MarketConfig config) throws IOException {
        out.putBytes(TAG);
        out.putLong(config.chainId());
        out.putInt(config.orderCountMax());
        out.putLong(config.validityBlocksMax());
        out.putInt(config.sessionsPerBroker());
        out.putLong(config.tradingDayOffsetNs());
        out.putInt(config.liveOrderCountMax());
        out.putInt(config.instruments().size());
        for (InstrumentConfig instrument : config.instruments()) {
            out.putInt(instrument.instrumentId());
            out.putLong(instrument.priceMin());
            out.putLong(instrument.priceMax());
            out.putLong(instrument.quantityMax());
            out.putInt((instrument.reduceKeepsPriority() ? 1 : 0) | (instrument.isHalted() ? 2 : 0));
        }
        out.putInt(config.brokers().size());
        for (BrokerConfig broker : config.brokers()) {
            out.putInt(broker.brokerId());
            out.putInt(broker.liveOrderCountMax());
            out.putInt(statusCode(broker.status()));
            put(out, broker.keys());
            AccountRanges accounts = broker.accounts();
            out.putInt(accounts.count());
            for (int range = 0; range < accounts.count(); range++) {
                out.putLong(accounts.first(range));
                out.putLong(accounts.last(range));
            }
        }
        putRates(out, config.brokers());
    }

    /** Puts nothing if no rate is limited: the digests of such markets are those from before there were rates. */
    private static void putRates(SnapshotOutput out, List<BrokerConfig> brokers) throws IOException {
        if (brokers.stream().allMatch(broker -> broker.rates().isNone())) {
            return;
        }
        for (BrokerConfig broker : brokers) {
            out.putLong(broker.rates().ordersPerSecondMax());
            out.putLong(broker.rates().bytesPerSecondMax());
        }
    }

    private static int statusCode(BrokerStatus status) {
        return switch (status) {
            case ACTIVE -> 0;
            case SUSPENDED -> 1;
            case REMOVED -> 2;
        };
    }

    private static void put(SnapshotOutput out, BrokerKeys keys) throws IOException {
        out.putInt(keys.areAll() ? -1 : keys.terms().size());
        for (BrokerKeys.Term term : keys.terms()) {
            out.putInt(term.keyId());
            out.putLong(term.fromBlock());
            out.putLong(term.untilBlock());
        }
    }
}
