package io.sealbook.consensus.agent;

import io.sealbook.pbft.Input;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * What this node itself has to tell agreement: available batches, results, transferred blocks. Bounded. {@link #put}
 * waits for room, which is back pressure for ring and result reader. The committer only calls {@link #offer}: it may
 * share the agent's thread, and the agent may wait for room in the committer's queue.
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

    /**
     * Puts an input, waiting for room; drops it once the inbox is closed. Any thread but agent, committer and network
     * event loops.
     */
    public void put(Input input) {
        while (!offer(input) && !isClosed) {
            LockSupport.parkNanos(RETRY_NS);
        }
    }

    /**
     * Puts an input if there is room and returns whether there was. A closed inbox has none: the committer then adopts
     * no further transferred block. Any thread.
     */
    public boolean offer(Input input) {
        boolean isTaken = !isClosed && inputs.offer(input);
        wakeUp.run();
        return isTaken;
    }

    /** Puts an input, if there is room, that the agent takes when something else wakes it. Any thread. */
    public void offerQuietly(Input input) {
        inputs.offer(input);
    }

    /**
     * Hands out waiting inputs in the order in which they came. Agent thread.
     *
     * @param consumer takes each
     * @param limit how many at most
     * @return how many it was
     */
    public int drain(Consumer<Input> consumer, int limit) {
        return inputs.drain(consumer::accept, limit);
    }

    /** Returns how many inputs fit now. */
    public int room() {
        return CAPACITY - inputs.size();
    }

    boolean isEmpty() {
        return inputs.isEmpty();
    }

    /** Returns how many inputs wait. */
    public int depth() {
        return inputs.size();
    }

    /** Releases waiting writers; there is no room from now on. */
    public void close() {
        isClosed = true;
    }
}
