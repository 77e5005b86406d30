package io.sealbook.peer.loop;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * Lets other threads run once before an event loop sleeps: where all cores are busy, bytes and tasks come meanwhile,
 * and are taken together. A loop that has something to do does not wait for others. The loop's thread only.
 */
final class YieldingSelect implements SelectStrategy {
    private final Runnable letOthersRun;

    /** @param letOthersRun gives up the rest of the time slice */
    YieldingSelect(Runnable letOthersRun) {
        this.letOthersRun = letOthersRun;
    }

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        int ready = selectNow.get();
        if (ready > 0 || hasTasks) {
            return ready;
        }
        letOthersRun.run();
        ready = selectNow.get();
        return ready > 0 ? ready : SELECT;
    }
}
