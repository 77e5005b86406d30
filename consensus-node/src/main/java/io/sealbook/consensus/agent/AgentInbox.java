package io.sealbook.consensus.agent;

import io.sealbook.pbft.Input;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * What this node itself has to tell agreement: available batches, results, transferred blocks. Bounded; {@link #put} waits for room,
 * which is back pressure for ring, result reader and committer.
 */
public final class AgentInbox {
    private static final int CAPACITY = 16_384;
    private static final long RETRY_NS = 100_000;

    private final ManyToOneConcurrentArrayQueue<Input> inputs = new ManyToOneConcurrentArrayQueue<>(CAPACITY);
    private volatile Runnable wakeUp = () -> {};
    private volatile boolean isClosed;

    void onPut(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    /** Puts an input, waiting for room; drops it once the inbox is closed. Any thread but the agent's and network event loops. */
    public void put(Input input) {
        while (!inputs.offer(input)) {
            if (isClosed) {
                return;
            }
            LockSupport.parkNanos(RETRY_NS);
        }
        wakeUp.run();
    }

    int drain(Consumer<Input> consumer, int limit) {
        return inputs.drain(consumer::accept, limit);
    }

    boolean isEmpty() {
        return inputs.isEmpty();
    }

    /** Returns how many inputs wait. */
    public int depth() {
        return inputs.size();
    }

    /** Lets waiting writers go. */
    public void close() {
        isClosed = true;
    }
}
