package io.sealbook.perf.inline;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.client.Order;
import io.sealbook.client.codec.OrderBatchEncoder;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.SplittableRandom;

/**
 * Blocks of two brokers in two instruments, from a seed: limit orders that cross several levels, cancels of live, gone
 * and foreign orders, ids that are live already, and prices and quantities that are out of range.
 */
final class RandomMarket {
    private static final long CHAIN_ID = 7;
    private static final int BROKERS = 2;
    private static final int BATCHES_PER_BLOCK = 5;
    private static final int ORDERS_PER_BATCH = 10;
    private static final long[] PRICE_MIDDLES = {1_000, 70_000};

    private final SplittableRandom random;
    private final OrderBatchEncoder encoder = new OrderBatchEncoder(ORDERS_PER_BATCH);
    private final BlockBuilder builder = new BlockBuilder();
    private final long[] nextClOrdIds = {1, 1};
    private Digest previousHash = Digest.ZERO;
    private long sequence;
    private long number;

    RandomMarket(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns the market, whose prices of the second instrument lie in several words of the contract's index. */
    static Genesis genesis() {
        return GenesisFile.withDefaults(Genesis.newBuilder()
                .setChainId(CHAIN_ID)
                .setParameters(Parameters.newBuilder()
                        .setOrderCountMax(256)
                        .setValidityBlocksMax(10_000)
                        .setSessionsPerBroker(16))
                .addInstruments(instrument(1, 900, 1_100))
                .addInstruments(instrument(2, 65_000, 140_000))
                .addBrokers(broker(1))
                .addBrokers(broker(2))
                .build());
    }

    private static Broker broker(int id) {
        return Broker.newBuilder()
                .setBrokerId(id)
                .addAccounts(AccountRange.newBuilder().setFirst(id))
                .addKeys(TwoOrders.KEY)
                .build();
    }

    private static Instrument.Builder instrument(int id, long priceMin, long priceMax) {
        return Instrument.newBuilder()
                .setInstrumentId(id)
                .setSymbol("R" + id)
                .setPriceMin(priceMin)
                .setPriceMax(priceMax)
                .setQuantityMax(1_000);
    }

    /** Returns the next block of the chain. */
    Block next() {
        builder.begin(++sequence, 0, sequence, Digest.ZERO, previousHash);
        for (int i = 0; i < BATCHES_PER_BLOCK; i++) {
            int broker = random.nextInt(BROKERS);
            encoder.begin(
                    CHAIN_ID,
                    broker + 1,
                    1,
                    SignatureScheme.ECDSA_SECP256K1_SHA256,
                    new BatchPosition(0, ++number, Digest.ZERO),
                    sequence + 10,
                    sequence);
            for (int order = 0; order < ORDERS_PER_BATCH; order++) {
                encoder.add(order(broker));
            }
            Digest id = Digest.sha256(new byte[] {(byte) i});
            builder.add(id, sequence, encoder.array(), 0, encoder.finish() + SignedBatch.SIGNATURE_LENGTH);
        }
        Block block = builder.buildBlock();
        previousHash = block.hash();
        return block;
    }

    private Order order(int broker) {
        int instrument = random.nextInt(PRICE_MIDDLES.length);
        Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
        if (random.nextInt(3) == 0) {
            long target = 1 + random.nextLong(nextClOrdIds[broker] + 2);
            return Order.cancel(nextClOrdIds[broker]++, target, broker + 1, instrument + 1, side);
        }
        long clOrdId = random.nextInt(20) == 0 ? 1 + random.nextLong(nextClOrdIds[broker]) : nextClOrdIds[broker]++;
        long distance = random.nextInt(100) == 0 ? 1_000_000 : random.nextLong(-12, 13);
        return new Order(
                Action.NEW,
                clOrdId,
                Order.NO_ORDER,
                broker + 1,
                instrument + 1,
                side,
                OrdType.LIMIT,
                random.nextInt(4) == 0 ? TimeInForce.IMMEDIATE_OR_CANCEL : TimeInForce.GOOD_TILL_CANCEL,
                PRICE_MIDDLES[instrument] + distance * (instrument == 0 ? 1 : 300),
                random.nextInt(50) == 0 ? 2_000 : 1 + random.nextLong(100));
    }
}
