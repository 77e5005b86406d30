package io.sealbook.engine.marketdata;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Sends the newest depth, or best price, of each instrument whenever it is another one than was sent last. */
final class DepthFollower<T> extends Follower<T> {
    private final DepthBoard board;
    private final Supplier<List<Integer>> instruments;
    private List<Integer> instrumentIds = List.of();
    private final Function<DepthView, T> message;
    private DepthView[] sent = {};

    /** @param instruments to follow; further ones may come at the end */
    DepthFollower(
            DepthBoard board,
            Supplier<List<Integer>> instruments,
            Function<DepthView, T> message,
            ServerCallStreamObserver<T> observer,
            Delivery delivery) {
        super(observer, delivery);
        this.board = board;
        this.instruments = instruments;
        this.message = message;
    }

    @Override
    protected void send() {
        instrumentIds = instruments.get();
        sent = Arrays.copyOf(sent, instrumentIds.size());
        for (int i = 0; i < sent.length && observer.isReady(); i++) {
            DepthView view = board.of(instrumentIds.get(i)).orElseThrow();
            if (view != sent[i]) {
                sent[i] = view;
                observer.onNext(message.apply(view));
            }
        }
    }
}
