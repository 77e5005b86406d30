package io.sealbook.engine.marketdata;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.protocol.v1.TradePrint;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Sends every trade of its instruments from the moment it began; cut when it falls off the tape. The reader is to blame
 * if a trade left the tape while the transport had no room, this engine if the transport had room.
 */
final class TradeFollower extends Follower<TradePrint> {
    private final TradeTape tape;
    private final IntPredicate instruments;
    /** Changed by the pool's thread. */
    private volatile long next;

    private volatile boolean isReaderLate;

    /** @param instruments whose trades are sent */
    TradeFollower(
            TradeTape tape,
            IntPredicate instruments,
            ServerCallStreamObserver<TradePrint> observer,
            Delivery delivery) {
        super(observer, delivery);
        this.tape = tape;
        this.instruments = instruments;
        next = tape.nextNewsId();
    }

    @Override
    protected void send() {
        long id = next;
        while (id <= tape.lastTradeId() && observer.isReady()) {
            Optional<TradePrintView> trade = tape.get(id);
            if (trade.isEmpty()) {
                break;
            }
            if (instruments.test(trade.get().instrumentId())) {
                observer.onNext(MarketDataMessages.tradePrint(trade.get()));
            }
            id++;
            next = id;
        }
        if (tape.hasLeft(id)) {
            String fact = "trade " + id + " has left the buffer, the newest is " + tape.lastTradeId();
            end(
                    isReaderLate || !observer.isReady()
                            ? Status.RESOURCE_EXHAUSTED.withDescription("too slow: " + fact)
                            : Status.UNAVAILABLE.withDescription("the engine sends too slowly: " + fact));
        }
    }

    @Override
    protected void noteRoom() {
        if (tape.hasLeft(next)) {
            isReaderLate = true;
        }
    }
}
