package io.sealbook.engine.marketdata;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.protocol.v1.TradePrint;
import java.util.Optional;
import java.util.function.IntPredicate;

/** Sends every trade of its instruments from the moment it began; cut when it falls off the tape. */
final class TradeFollower extends Follower<TradePrint> {
    private final TradeTape tape;
    private final IntPredicate instruments;
    private long next;

    /** @param instruments whose trades are sent */
    TradeFollower(
            TradeTape tape,
            IntPredicate instruments,
            ServerCallStreamObserver<TradePrint> observer,
            Delivery delivery) {
        super(observer, delivery);
        this.tape = tape;
        this.instruments = instruments;
        next = tape.lastTradeId() + 1;
    }

    @Override
    protected void send() {
        while (next <= tape.lastTradeId() && observer.isReady()) {
            Optional<TradePrintView> trade = tape.get(next);
            if (trade.isEmpty()) {
                break;
            }
            if (instruments.test(trade.get().instrumentId())) {
                observer.onNext(MarketDataMessages.tradePrint(trade.get()));
            }
            next++;
        }
        if (tape.hasLeft(next)) {
            end(Status.RESOURCE_EXHAUSTED.withDescription(
                    "too slow: trade " + next + " has left the buffer, the newest is " + tape.lastTradeId()));
        }
    }
}
