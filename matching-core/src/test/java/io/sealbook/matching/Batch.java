package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder.OrdersEncoder;
import io.sealbook.protocol.sbe.Scheme;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** A batch of one broker as a test writes it down. */
record Batch(
        int brokerId,
        long number,
        long validUntilBlock,
        int keyId,
        long sentTimeNs,
        int timeToLive,
        int session,
        List<Request> requests) {
    static final long CHAIN_ID = 77;

    /** A batch that key 0 signs. */
    Batch(int brokerId, long number, long validUntilBlock, List<Request> requests) {
        this(brokerId, number, validUntilBlock, 0, requests);
    }

    /** A batch of session 0 without a time to live. */
    Batch(int brokerId, long number, long validUntilBlock, int keyId, List<Request> requests) {
        this(brokerId, number, validUntilBlock, keyId, 0, 0, 0, requests);
    }

    /** One entry, in the field order of the schema. */
    record Request(
            long clOrdId,
            long origClOrdId,
            long price,
            long quantity,
            int accountId,
            int instrumentId,
            Action action,
            Side side,
            OrdType ordType,
            TimeInForce timeInForce) {}

    static Batch of(int brokerId, long number, long validUntilBlock, Request... requests) {
        return new Batch(brokerId, number, validUntilBlock, List.of(requests));
    }

    static Request limit(long clOrdId, int instrumentId, Side side, long price, long quantity) {
        return limit(clOrdId, instrumentId, side, price, quantity, TimeInForce.DAY);
    }

    static Request limit(long clOrdId, int instrumentId, Side side, long price, long quantity, TimeInForce tif) {
        return new Request(clOrdId, 0, price, quantity, 9, instrumentId, Action.NEW, side, OrdType.LIMIT, tif);
    }

    static Request market(long clOrdId, int instrumentId, Side side, long quantity) {
        return new Request(clOrdId, 0, 0, quantity, 9, instrumentId, Action.NEW, side, OrdType.MARKET, TimeInForce.DAY);
    }

    static Request cancel(long clOrdId, long origClOrdId, int instrumentId) {
        return new Request(
                clOrdId,
                origClOrdId,
                0,
                0,
                9,
                instrumentId,
                Action.CANCEL,
                Side.NULL_VAL,
                OrdType.NULL_VAL,
                TimeInForce.NULL_VAL);
    }

    static Request replace(
            long clOrdId, long origClOrdId, int instrumentId, Side side, long price, long quantity, TimeInForce tif) {
        return new Request(
                clOrdId, origClOrdId, price, quantity, 9, instrumentId, Action.REPLACE, side, OrdType.LIMIT, tif);
    }

    static Request replace(long clOrdId, long origClOrdId, int instrumentId, Side side, long price, long quantity) {
        return replace(clOrdId, origClOrdId, instrumentId, side, price, quantity, TimeInForce.DAY);
    }

    /** Returns the cancel of all orders of the broker, in an instrument or, if 0, in all. */
    static Request massCancel(long clOrdId, int instrumentId) {
        return massCancel(clOrdId, instrumentId, Side.NULL_VAL, 0, 0, 0);
    }

    static Request massCancel(long clOrdId, int instrumentId, Side side, int scope, int accountId, long session) {
        return new Request(
                clOrdId,
                0,
                session,
                scope,
                accountId,
                instrumentId,
                Action.MASS_CANCEL,
                side,
                OrdType.NULL_VAL,
                TimeInForce.NULL_VAL);
    }

    /** Returns the entry that sets the time of its session, in units of 10 ms. */
    static Request cancelAfter(long clOrdId, long units) {
        return new Request(
                clOrdId, 0, 0, units, 0, 0, Action.CANCEL_AFTER, Side.NULL_VAL, OrdType.NULL_VAL, TimeInForce.NULL_VAL);
    }

    /** Returns the SBE bytes without a signature. */
    byte[] encode() {
        byte[] bytes = new byte[SignedBatch.batchLength(requests.size())];
        OrderBatchEncoder batch = new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(bytes), 0, new MessageHeaderEncoder())
                .chainId(CHAIN_ID)
                .number(number)
                .validUntilBlock(validUntilBlock)
                .sentTimeNs(sentTimeNs)
                .brokerId(brokerId & 0xFFFF_FFFFL)
                .keyId(keyId)
                .session(session)
                .scheme(Scheme.SM2_SM3)
                .timeToLive(timeToLive);
        OrdersEncoder orders = batch.ordersCount(requests.size());
        for (Request r : requests) {
            orders.next()
                    .clOrdId(r.clOrdId())
                    .origClOrdId(r.origClOrdId())
                    .price(r.price())
                    .quantity(r.quantity())
                    .accountId(r.accountId() & 0xFFFF_FFFFL)
                    .instrumentId(r.instrumentId() & 0xFFFF_FFFFL)
                    .action(r.action())
                    .side(r.side())
                    .ordType(r.ordType())
                    .timeInForce(r.timeInForce())
                    .flags(0)
                    .reserved(0);
        }
        return bytes;
    }

    /** Returns the same requests after further ones. */
    Batch with(Request request) {
        List<Request> all = new ArrayList<>(requests);
        all.add(request);
        return new Batch(brokerId, number, validUntilBlock, keyId, sentTimeNs, timeToLive, session, all);
    }

    /** Returns the same batch under another key. */
    Batch signedWith(int otherKeyId) {
        return new Batch(brokerId, number, validUntilBlock, otherKeyId, sentTimeNs, timeToLive, session, requests);
    }

    /** Returns the same batch with a time to live, in units of 10 ms. */
    Batch sentAt(long timeNs, int units) {
        return new Batch(brokerId, number, validUntilBlock, keyId, timeNs, units, session, requests);
    }

    /** Returns the same batch in another session. */
    Batch in(int otherSession) {
        return new Batch(brokerId, number, validUntilBlock, keyId, sentTimeNs, timeToLive, otherSession, requests);
    }
}
