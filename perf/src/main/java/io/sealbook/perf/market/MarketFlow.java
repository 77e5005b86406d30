package io.sealbook.perf.market;

import io.sealbook.matching.BrokerConfig;
import io.sealbook.matching.InstrumentConfig;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.RestingOrder;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder.OrdersEncoder;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.SignedBatch;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Batches without end, drawn from a seed, of brokers that take turns and share all books. Once the market is full it
 * keeps its size: of a hundred entries 33 rest away from the best prices, 33 cancel one of these, 9 replace one, 12
 * rest at the best prices and 13 take those. Each order is in a book drawn at random, and every cancel and replace
 * names an order drawn at random: no entry finds the memory of the one before. Brokers count their ClOrdIDs up from 1.
 */
final class MarketFlow {
    private static final long CHAIN_ID = 7;
    private static final int VALIDITY_BLOCKS = 100;
    private static final int PRICE_MIDDLE = 10_000;
    private static final int PRICE_REACH = 1_000;
    private static final int TAKING_PERCENT = 13;
    private static final int NEAR_PERCENT = 12;
    private static final int REPLACE_PERCENT = 9;
    /** Orders that take reach this number of ticks beyond the middle; the same number is near. */
    private static final int NEAR = 4;
    /** Orders away from the best prices are at most this number of ticks away, most of them much less. */
    private static final int FAR = 200;

    private static final int LOT = 100;

    private final SplittableRandom random;
    private final int bookCount;
    private final int batchLength;
    private final RestingOrders[] resting;
    private final long[] lastClOrdIds;
    private final long[] lastNumbers;
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final OrderBatchEncoder encoder = new OrderBatchEncoder();
    private OrdersEncoder orders;
    private int turn;
    private long entryCount;

    /**
     * @param seed of the random draws
     * @param bookCount instruments, ids from 1
     * @param restingMax orders of all brokers that rest away from the best prices, at least {@code brokerCount}
     * @param brokerCount brokers, ids from 1
     * @param batchLength entries of each batch
     */
    MarketFlow(long seed, int bookCount, int restingMax, int brokerCount, int batchLength) {
        this.random = new SplittableRandom(seed);
        this.bookCount = bookCount;
        this.batchLength = batchLength;
        this.lastClOrdIds = new long[brokerCount];
        this.lastNumbers = new long[brokerCount];
        this.resting = new RestingOrders[brokerCount];
        for (int broker = 0; broker < brokerCount; broker++) {
            resting[broker] = new RestingOrders(restingMax / brokerCount);
        }
    }

    /** Returns the rules of the market that the batches are for. */
    MarketConfig market() {
        return MarketConfig.of(
                CHAIN_ID,
                IntStream.rangeClosed(1, bookCount)
                        .mapToObj(id -> new InstrumentConfig(
                                id, "M" + id, 2, PRICE_MIDDLE - PRICE_REACH, PRICE_MIDDLE + PRICE_REACH, 1 << 20, true))
                        .toList(),
                IntStream.rangeClosed(1, resting.length)
                        .mapToObj(BrokerConfig::of)
                        .toList(),
                batchLength,
                VALIDITY_BLOCKS);
    }

    /** Returns whether the market has the size that it keeps. */
    boolean isFull() {
        for (RestingOrders own : resting) {
            if (!own.isFull()) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many entries were written. */
    long entryCount() {
        return entryCount;
    }

    /** Returns how many orders rest away from the best prices. */
    int restingCount() {
        int count = 0;
        for (RestingOrders own : resting) {
            count += own.count();
        }
        return count;
    }

    /** Returns a buffer for {@link #write}. */
    UnsafeBuffer newBatch() {
        return new UnsafeBuffer(new byte[SignedBatch.batchLength(batchLength)]);
    }

    /**
     * Writes the next batch.
     *
     * @param batch from {@link #newBatch}; the caller's
     * @param blockSequence of the block that it will be in
     */
    void write(UnsafeBuffer batch, long blockSequence) {
        int broker = turn;
        turn = (turn + 1) % resting.length;
        orders = encoder.wrapAndApplyHeader(batch, 0, header)
                .chainId(CHAIN_ID)
                .number(++lastNumbers[broker])
                .validUntilBlock(blockSequence)
                .sentTimeNs(0)
                .brokerId(broker + 1)
                .keyId(0)
                .session(0)
                .scheme(Scheme.SM2_SM3)
                .ordersCount(batchLength);
        for (int i = 0; i < batchLength; i++) {
            writeEntry(broker);
        }
        entryCount += batchLength;
    }

    private void writeEntry(int broker) {
        RestingOrders own = resting[broker];
        long clOrdId = ++lastClOrdIds[broker];
        int draw = random.nextInt(100);
        if (draw < TAKING_PERCENT) {
            enter(clOrdId, NEAR, TimeInForce.IMMEDIATE_OR_CANCEL);
        } else if (draw < TAKING_PERCENT + NEAR_PERCENT) {
            enter(clOrdId, -1 - random.nextInt(NEAR), TimeInForce.GOOD_TILL_CANCEL);
        } else if (own.isFull() && draw < TAKING_PERCENT + NEAR_PERCENT + REPLACE_PERCENT) {
            replace(own, random.nextInt(own.count()), clOrdId);
        } else if (own.isFull()) {
            int i = random.nextInt(own.count());
            put(clOrdId, own.clOrdId(i), 0, 0, own.instrumentId(i), own.isBuy(i), Action.CANCEL, TimeInForce.DAY);
            own.remove(i);
        } else {
            int instrumentId = 1 + random.nextInt(bookCount);
            boolean isBuy = random.nextBoolean();
            long price = price(isBuy, far());
            long quantity = quantity();
            put(clOrdId, 0, price, quantity, instrumentId, isBuy, Action.NEW, TimeInForce.GOOD_TILL_CANCEL);
            own.add(clOrdId, instrumentId, isBuy, price, quantity);
        }
    }

    private void enter(long clOrdId, int distance, TimeInForce timeInForce) {
        boolean isBuy = random.nextBoolean();
        int instrumentId = 1 + random.nextInt(bookCount);
        put(clOrdId, 0, price(isBuy, distance), quantity(), instrumentId, isBuy, Action.NEW, timeInForce);
    }

    private void replace(RestingOrders own, int i, long clOrdId) {
        boolean isBuy = own.isBuy(i);
        long price = price(isBuy, far());
        long quantity = quantity();
        put(
                clOrdId,
                own.clOrdId(i),
                price,
                quantity,
                own.instrumentId(i),
                isBuy,
                Action.REPLACE,
                TimeInForce.GOOD_TILL_CANCEL);
        own.set(i, clOrdId, price, quantity);
    }

    private int far() {
        return -1 - NEAR - random.nextInt(1 + random.nextInt(FAR));
    }

    private long quantity() {
        return (long) LOT * (1 + random.nextInt(5));
    }

    /** @param distance to the middle, in ticks towards the other side */
    private static long price(boolean isBuy, int distance) {
        return PRICE_MIDDLE + (isBuy ? distance : -distance);
    }

    private void put(
            long clOrdId,
            long origClOrdId,
            long price,
            long quantity,
            int instrumentId,
            boolean isBuy,
            Action action,
            TimeInForce timeInForce) {
        orders.next()
                .clOrdId(clOrdId)
                .origClOrdId(origClOrdId)
                .price(price)
                .quantity(quantity)
                .accountId(1)
                .instrumentId(instrumentId)
                .action(action)
                .side(isBuy ? Side.BUY : Side.SELL)
                .ordType(OrdType.LIMIT)
                .timeInForce(timeInForce)
                .flags(0)
                .reserved(0);
    }

    /**
     * Compares a core that executed every batch with what the flow knows.
     *
     * @throws IllegalStateException if an entry was refused or missed, an order is not as it was left, or no order
     *     traded
     */
    void check(MatchingCore core) {
        if (core.entryCount() != entryCount || core.refusedEntryCount() != 0 || core.tradeCount() == 0) {
            throw new IllegalStateException(entryCount + " entries were sent, " + core.entryCount() + " handled, "
                    + core.refusedEntryCount() + " refused, " + core.tradeCount() + " trades made");
        }
        for (int broker = 0; broker < resting.length; broker++) {
            RestingOrders own = resting[broker];
            for (int i = 0; i < own.count(); i++) {
                RestingOrder order = core.findOrder(broker + 1, own.clOrdId(i)).orElse(null);
                if (order == null
                        || order.price() != own.price(i)
                        || order.leavesQty() != own.quantity(i)
                        || order.instrumentId() != own.instrumentId(i)) {
                    throw new IllegalStateException("broker " + (broker + 1) + ", ClOrdID " + own.clOrdId(i) + " is "
                            + order + ", expected " + own.quantity(i) + " at " + own.price(i) + " of instrument "
                            + own.instrumentId(i));
                }
            }
        }
    }
}
