package io.sealbook.peer.loop;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * Lets other threads run once before an event loop sleeps: where all cores are busy, bytes and tasks come meanwhile,
 * and are taken together. A loop that has something to do does not wait for others. The loop's thread only.
 */
final class YieldingSelect implements SelectStrategy {
    private final Runnable yield;

    /** @param yield lets other threads run */
    YieldingSelect(Runnable yield) {
        this.yield = yield;
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        int ready = selectNow.get();
        if (ready > 0 || hasTasks) {
            return ready;
        }
        yield.run();
        ready = selectNow.get();
        return ready > 0 ? ready : SELECT;
    }
}
