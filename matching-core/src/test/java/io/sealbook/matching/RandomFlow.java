package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Seeded blocks of batches with every kind of entry, good and bad, over a market of few prices, so that queues are long
 * and fills frequent. Ids repeat on purpose. The same seed gives the same flow.
 */
final class RandomFlow {
    private final SplittableRandom random;
    private final int instrumentCount;
    private final long priceLow;
    private final int priceSpan;
    private final int keyCount;
    private final int brokerCount;
    /** By broker, the number of its last batch; that of broker 2 becomes negative soon. */
    private final long[] numbers = {0, 0, Long.MAX_VALUE - 20, 1L << 40};

    /** Separate, so that the orders of a seed do not depend on it. */
    private final SplittableRandom sending;

    /** Draws requests that are about no single order, and sessions; null for flows without them. */
    private SplittableRandom asking;

    private long timeNs = CoreDriver.GENESIS_TIME_NS;
    private long sequence;
    private long lastClOrdId;

    /** Prices of the flow lie in {@code priceLow .. priceLow + priceSpan}, quantities in 1..40. */
    RandomFlow(long seed, int instrumentCount, long priceLow, int priceSpan) {
        this(seed, instrumentCount, priceLow, priceSpan, 3, 1);
    }

    /** As the other, of the brokers 1..brokerCount, each of which signs with the keys 0..keyCount - 1. */
    RandomFlow(long seed, int instrumentCount, long priceLow, int priceSpan, int brokerCount, int keyCount) {
        this.random = new SplittableRandom(seed);
        this.sending = new SplittableRandom(~seed);
        this.instrumentCount = instrumentCount;
        this.priceLow = priceLow;
        this.priceSpan = priceSpan;
        this.brokerCount = brokerCount;
        this.keyCount = keyCount;
    }

    /** Adds mass cancels and cancels on disconnect to the flow, whose orders are in two sessions of a broker. */
    RandomFlow withRequests() {
        asking = new SplittableRandom(~lastClOrdId ^ numbers.length ^ random.nextLong());
        return this;
    }

    record Block(long timeNs, Batch[] batches) {}

    Block next() {
        sequence++;
        boolean isOverNight = random.nextInt(60) == 0;
        timeNs += isOverNight ? 20L * 3600 * CoreDriver.SECOND_NS : random.nextLong(CoreDriver.SECOND_NS);
        Batch[] batches = new Batch[random.nextInt(6)];
        for (int i = 0; i < batches.length; i++) {
            batches[i] = batch();
        }
        return new Block(timeNs, batches);
    }

    private Batch batch() {
        int broker = random.nextInt(50) == 0 ? 99 : 1 + random.nextInt(brokerCount);
        int place = broker % numbers.length;
        boolean isRepeated = random.nextInt(20) == 0;
        numbers[place] += isRepeated ? 0 : 1 + random.nextInt(3);
        long number = numbers[place] - (isRepeated ? random.nextInt(4) : 0);
        long validUntil = sequence + random.nextInt(10);
        if (random.nextInt(40) == 0) {
            validUntil = random.nextBoolean() ? sequence - 1 : sequence + 101;
        }
        List<Batch.Request> requests = new ArrayList<>();
        int count = 1 + random.nextInt(12);
        for (int i = 0; i < count; i++) {
            requests.add(request());
        }
        Batch batch = new Batch(broker, number, validUntil, keyCount == 1 ? 0 : random.nextInt(keyCount), requests);
        Batch sent = sending.nextInt(6) == 0 ? batch.sentAt(sentTimeNs(), sending.nextInt(1 << 16)) : batch;
        return asking == null ? sent : asking(sent);
    }

    private Batch asking(Batch batch) {
        Batch in = batch.in(asking.nextInt(2));
        return switch (asking.nextInt(12)) {
            case 0, 1 -> in.with(massCancel()).with(request());
            case 2 -> in.with(Batch.cancelAfter(asking.nextInt(9), asking.nextInt(4) * 130L));
            default -> in;
        };
    }

    private Batch.Request massCancel() {
        int scope = asking.nextInt(30) == 0 ? 4 : asking.nextInt(4);
        return Batch.massCancel(
                ++lastClOrdId,
                asking.nextInt(instrumentCount + 2),
                asking.nextBoolean() ? Side.NULL_VAL : asking.nextBoolean() ? Side.BUY : Side.SELL,
                scope,
                (scope & 1) == 0 ? 0 : 8 + asking.nextInt(3),
                (scope & 2) == 0 ? 0 : asking.nextInt(17));
    }

    /** Around the limits of a time to live; any number now and then. */
    private long sentTimeNs() {
        return sending.nextInt(8) == 0 ? sending.nextLong() : timeNs - sending.nextLong(700 * CoreDriver.SECOND_NS);
    }

    private Batch.Request request() {
        int kind = random.nextInt(100);
        Action action = kind < 60 ? Action.NEW : kind < 80 ? Action.CANCEL : Action.REPLACE;
        boolean isNew = action == Action.NEW;
        long clOrdId = random.nextInt(30) == 0 ? recent() : ++lastClOrdId;
        OrdType type = isNew && random.nextInt(12) == 0 ? OrdType.MARKET : OrdType.LIMIT;
        int lifetime = random.nextInt(isNew ? 10 : 5);
        TimeInForce tif = lifetime < 3
                ? TimeInForce.DAY
                : lifetime < 8
                        ? TimeInForce.GOOD_TILL_CANCEL
                        : lifetime == 8 ? TimeInForce.IMMEDIATE_OR_CANCEL : TimeInForce.FILL_OR_KILL;
        Batch.Request request = new Batch.Request(
                clOrdId,
                isNew ? 0 : recent(),
                type == OrdType.MARKET ? 0 : priceLow + random.nextInt(priceSpan + 1),
                1 + random.nextInt(40),
                random.nextInt(20) == 0 ? 10 : 9,
                1 + random.nextInt(instrumentCount),
                action,
                random.nextBoolean() ? Side.BUY : Side.SELL,
                type,
                tif);
        return random.nextInt(25) == 0 ? spoil(request) : request;
    }

    private long recent() {
        return Math.max(1, lastClOrdId - random.nextInt(40));
    }

    private Batch.Request spoil(Batch.Request r) {
        int field = random.nextInt(8);
        return new Batch.Request(
                field == 0 ? 0 : r.clOrdId(),
                field == 1 ? r.origClOrdId() + 1 : r.origClOrdId(),
                field == 2 ? random.nextLong() : r.price(),
                field == 3 ? random.nextLong() : r.quantity(),
                field == 4 ? 555 : r.accountId(),
                field == 5 ? 4711 : r.instrumentId(),
                field == 6 ? Action.NULL_VAL : r.action(),
                field == 7 ? Side.NULL_VAL : r.side(),
                r.ordType(),
                r.timeInForce());
    }
}
