package io.sealbook.matching;

import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Mass cancels and cancels on disconnect of {@link ReferenceMarket}, each at once and as a whole. */
final class ReferenceRequests {
    private static final long UNIT_NS = 10_000_000;

    private final ReferenceMarket market;
    private final Map<Session, Long> units = new HashMap<>();
    /** When the last batch of a session was executed, unless its time has run out since. */
    private final Map<Session, Long> heard = new HashMap<>();

    private record Session(int broker, long session) {}

    ReferenceRequests(ReferenceMarket market) {
        this.market = market;
    }

    void heard(int broker, int session, long timeNs) {
        heard.put(new Session(broker, session), timeNs);
    }

    void runOut(long timeNs) {
        List<Session> late = new ArrayList<>();
        for (BrokerConfig broker : market.config().brokers()) {
            for (int id = 0; id < market.config().sessionsPerBroker(); id++) {
                Session session = new Session(broker.brokerId(), id);
                long limit = units.getOrDefault(session, 0L) * UNIT_NS;
                if (limit != 0 && heard.containsKey(session) && timeNs - heard.get(session) > limit) {
                    late.add(session);
                    heard.remove(session);
                }
            }
        }
        Map<Session, Long> counts = new HashMap<>();
        for (ReferenceOrder order : market.resting()) {
            Session session = new Session(order.broker, order.session);
            if (late.contains(session)) {
                market.drop(order);
                market.output().ended(order, RejectReason.CANCEL_AFTER);
                counts.merge(session, 1L, Long::sum);
            }
        }
        for (Session session : late) {
            Batch.Request request = Batch.cancelAfter(0, 2);
            Batch.Request shown = new Batch.Request(
                    0,
                    0,
                    session.session,
                    2,
                    0,
                    0,
                    request.action(),
                    Side.NULL_VAL,
                    OrdType.NULL_VAL,
                    request.timeInForce());
            market.output()
                    .requested(session.broker, shown, counts.getOrDefault(session, 0L), 0, RejectReason.CANCEL_AFTER);
        }
    }

    void request(int broker, int session, Batch.Request request, long timeNs) {
        RejectReason reason = switch (request.action()) {
            case MASS_CANCEL -> massCancel(broker, request);
            default -> cancelAfter(broker, session, request, timeNs);
        };
        if (reason != RejectReason.NONE) {
            market.output().refused(broker, request, reason);
        }
    }

    private RejectReason massCancel(int broker, Batch.Request request) {
        boolean isOfAccount = request.quantity() == 1 || request.quantity() == 3;
        boolean isOfSession = request.quantity() == 2 || request.quantity() == 3;
        int sessions = market.config().sessionsPerBroker();
        if (!isRequest(request)
                || request.quantity() < 0
                || request.quantity() > 3
                || !isOfAccount && request.accountId() != 0
                || (isOfSession ? request.price() < 0 || request.price() >= sessions : request.price() != 0)) {
            return RejectReason.INVALID_FIELD;
        }
        boolean isKnown = request.instrumentId() == 0
                || market.config().instruments().stream().anyMatch(i -> i.instrumentId() == request.instrumentId());
        if (!isKnown) {
            return RejectReason.UNKNOWN_INSTRUMENT;
        }
        if (isOfAccount && !market.owns(broker, request.accountId())) {
            return RejectReason.UNKNOWN_ACCOUNT;
        }
        long count = 0;
        for (ReferenceOrder order : market.resting()) {
            if (order.broker == broker
                    && (request.instrumentId() == 0 || request.instrumentId() == order.instrument)
                    && (request.side() == Side.NULL_VAL || request.side() == order.side)
                    && (!isOfAccount || request.accountId() == order.account)
                    && (!isOfSession || request.price() == order.session)) {
                market.drop(order);
                market.output().ended(order, RejectReason.MASS_CANCEL);
                count++;
            }
        }
        market.output().requested(broker, request, count, 0, RejectReason.NONE);
        return RejectReason.NONE;
    }

    private RejectReason cancelAfter(int broker, int session, Batch.Request request, long timeNs) {
        if (!isRequest(request)
                || request.price() != 0
                || request.accountId() != 0
                || request.instrumentId() != 0
                || request.side() != Side.NULL_VAL) {
            return RejectReason.INVALID_FIELD;
        }
        if (request.quantity() != 0 && (request.quantity() < 100 || request.quantity() > 8_640_000)) {
            return RejectReason.INVALID_QUANTITY;
        }
        units.put(new Session(broker, session), request.quantity());
        heard(broker, session, timeNs);
        market.output().requested(broker, request, 0, request.quantity(), RejectReason.NONE);
        return RejectReason.NONE;
    }

    private static boolean isRequest(Batch.Request request) {
        return request.clOrdId() != 0
                && request.origClOrdId() == 0
                && request.ordType() == OrdType.NULL_VAL
                && request.timeInForce() == TimeInForce.NULL_VAL;
    }
}
