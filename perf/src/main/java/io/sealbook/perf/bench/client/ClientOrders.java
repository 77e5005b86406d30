package io.sealbook.perf.bench.client;

import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Orders drawn from a fixed seed: seven limit orders, two replaces and a cancel of ten. */
final class ClientOrders {
    private static final long SEED = 20261121;

    private ClientOrders() {}

    static List<Order> draw(int count) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<Order> orders = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            Side side = random.nextBoolean() ? Side.BUY : Side.SELL;
            long price = random.nextLong(9_000, 11_000);
            long quantity = random.nextLong(1, 1_000);
            orders.add(
                    switch (i % 10) {
                        case 3, 6 -> Order.replace(i, i - 1, 1, 1, side, price, quantity);
                        case 9 -> Order.cancel(i, i - 1, 1, 1, side);
                        default -> Order.limit(i, 1, 1, side, price, quantity);
                    });
        }
        return orders;
    }
}
