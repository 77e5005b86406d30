package io.sealbook.engine.marketdata;

import io.grpc.stub.ServerCallStreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the newest depth, or best price, of each instrument whenever it is another one than was sent last. Each pass
 * goes on at the instrument where the last one found no room, so that a slow reader of many books sees all of them.
 */
final class DepthFollower<T> extends Follower<T> {
    private final DepthBoard board;
    private final Supplier<List<Integer>> instruments;
    private List<Integer> instrumentIds = List.of();
    private final Function<DepthView, T> message;
    private DepthView[] sent = {};
    /** Place of the instrument at which the next pass begins. */
    private int next;

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
        for (int looked = 0; looked < sent.length && observer.isReady(); looked++) {
            DepthView view = board.of(instrumentIds.get(next)).orElseThrow();
            if (view != sent[next]) {
                sent[next] = view;
                observer.onNext(message.apply(view));
            }
            next = (next + 1) % sent.length;
        }
    }
}
