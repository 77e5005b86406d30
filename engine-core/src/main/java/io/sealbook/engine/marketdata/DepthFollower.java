package io.sealbook.engine.marketdata;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.function.Function;

/** Sends the newest depth, or best price, of each instrument whenever it is another one than was sent last. */
final class DepthFollower<T> extends Follower<T> {
    private final DepthBoard board;
    private final List<Integer> instrumentIds;
    private final Function<DepthView, T> message;
    private final DepthView[] sent;

    DepthFollower(
            DepthBoard board,
            List<Integer> instrumentIds,
            Function<DepthView, T> message,
            ServerCallStreamObserver<T> observer,
            Delivery delivery) {
        super(observer, delivery);
        this.board = board;
        this.instrumentIds = instrumentIds;
        this.message = message;
        sent = new DepthView[instrumentIds.size()];
    }

    @Override
    protected void send() {
        for (int i = 0; i < sent.length && observer.isReady(); i++) {
            DepthView view = board.of(instrumentIds.get(i)).orElseThrow();
            if (view != sent[i]) {
                sent[i] = view;
                observer.onNext(message.apply(view));
            }
        }
    }
}
