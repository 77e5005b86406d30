package io.sealbook.simulator;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder.OrdersEncoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A signed batch as its broker made it.
 *
 * @param signed its bytes with the signature; not to be changed
 */
record Batch(Digest batchId, byte[] signed, int broker, BatchPosition position, long validUntilBlock) {
    /** Scope of a mass cancel: the orders of a session. */
    private static final long OF_SESSION = 2;
    /** 1.2 s: shorter than what faults may take. */
    private static final long CANCEL_AFTER_UNITS = 120;

    /**
     * Makes a batch of a few random orders, some with a request about many.
     *
     * @param keyIndex whose toy key signs it
     * @param position of the batch in its session
     * @param serial 1 or more, another one for each batch; its orders are numbered by it
     * @param validUntilBlock last block that may contain it
     */
    static Batch of(
            int broker,
            int keyIndex,
            BatchPosition position,
            long serial,
            long validUntilBlock,
            SplittableRandom random) {
        return of(broker, SimulatedMarket.KEY_ID, keyIndex, position, serial, validUntilBlock, random);
    }

    /**
     * Makes a batch under one of several keys.
     *
     * @param keyId of the broker's key
     * @param keyIndex whose toy key signs it
     * @param position of the batch in its session
     * @param serial 1 or more, another one for each batch; its orders are numbered by it
     * @param validUntilBlock last block that may contain it
     */
    static Batch of(
            int broker,
            int keyId,
            int keyIndex,
            BatchPosition position,
            long serial,
            long validUntilBlock,
            SplittableRandom random) {
        int newCount = 1 + random.nextInt(3);
        // By the serial, so that the draws of a seed are those of a batch without a request.
        boolean isMassCancel = serial % 5 == 0;
        boolean isCancelAfter = serial % 7 == 0;
        int orderCount = newCount + (isMassCancel ? 1 : 0) + (isCancelAfter ? 1 : 0);
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[SignedBatch.signedLength(orderCount)]);
        OrderBatchEncoder batch = new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .chainId(SimulatedMarket.CHAIN_ID)
                .number(position.number())
                .putPrevious(position.previous().bytes(), 0, Digest.LENGTH)
                .validUntilBlock(validUntilBlock)
                .brokerId(broker)
                .keyId(keyId)
                .session(position.session())
                .scheme(io.sealbook.protocol.sbe.Scheme.SM2_SM3);
        OrdersEncoder orders = batch.ordersCount(orderCount);
        for (int i = 0; i < newCount; i++) {
            orders.next()
                    .clOrdId(serial * SimulatedMarket.ORDER_COUNT_MAX + i + 1)
                    .instrumentId(1 + random.nextInt(SimulatedMarket.INSTRUMENTS))
                    .accountId(broker)
                    .price(1 + random.nextInt(SimulatedMarket.PRICE_MAX))
                    .quantity(1 + random.nextInt(SimulatedMarket.QUANTITY_MAX))
                    .action(Action.NEW)
                    .side(random.nextBoolean() ? Side.BUY : Side.SELL)
                    .ordType(OrdType.LIMIT)
                    .timeInForce(TimeInForce.GOOD_TILL_CANCEL);
        }
        if (isMassCancel) {
            request(orders.next(), Action.MASS_CANCEL, serial)
                    .instrumentId(serial % (SimulatedMarket.INSTRUMENTS + 1))
                    .side(serial % 2 == 0 ? Side.NULL_VAL : Side.BUY)
                    .quantity(serial % 4 == 0 ? OF_SESSION : 0)
                    .price(serial % 4 == 0 ? serial % SimulatedMarket.SESSIONS_PER_KEY : 0);
        }
        if (isCancelAfter) {
            request(orders.next(), Action.CANCEL_AFTER, serial)
                    .quantity(serial % 3 * CANCEL_AFTER_UNITS)
                    .price(0);
        }
        byte[] bytes = buffer.byteArray();
        return new Batch(sign(bytes, keyIndex), bytes, broker, position, validUntilBlock);
    }

    /** Returns another batch under the number of a signed one: by another key of the broker. */
    static byte[] underKey(byte[] signedBatch, int keyId, int keyIndex) {
        byte[] bytes = signedBatch.clone();
        new OrderBatchEncoder()
                .wrap(new UnsafeBuffer(bytes), SignedBatch.MESSAGE_HEADER_LENGTH)
                .keyId(keyId);
        sign(bytes, keyIndex);
        return bytes;
    }

    private static Digest sign(byte[] bytes, int keyIndex) {
        Digest batchId = Digest.sha256(Arrays.copyOf(bytes, bytes.length - SignedBatch.SIGNATURE_LENGTH));
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, SimulatedMarket.CHAIN_ID, batchId);
        System.arraycopy(
                ToySignatures.sign(keyIndex, region),
                0,
                bytes,
                bytes.length - SignedBatch.SIGNATURE_LENGTH,
                SignatureScheme.SIGNATURE_LENGTH);
        return batchId;
    }

    private static OrdersEncoder request(OrdersEncoder entry, Action action, long serial) {
        return entry.clOrdId(serial * SimulatedMarket.ORDER_COUNT_MAX)
                .instrumentId(0)
                .action(action)
                .side(Side.NULL_VAL)
                .ordType(OrdType.NULL_VAL)
                .timeInForce(TimeInForce.NULL_VAL);
    }
}
