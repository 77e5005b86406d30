package io.sealbook.consensus.gateway;

import io.grpc.Status;
import io.sealbook.access.LinePace;
import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.consensus.gateway.ArchiveTurns.Turn;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.DecodedBlock;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves all followers on one thread. Each pass first sends what is in memory, a few blocks to each follower. Then it
 * reads a bounded part of the archive for those that lag, one holder after the other, from where the last pass ended:
 * old blocks delay no new one, and the holder of many streams no other holder. They cost the committer nothing. One old
 * block comes first if a stream that lags found no room in the last pass.
 *
 * <p>A stream that is ready takes a whole block, which waits in memory until its reader takes it. A holder may have so
 * many bytes wait; its other streams wait for them. Those that were served wait behind those that were not. Receipts
 * wait for no blocks: they have room of their own.
 */
public final class Followers extends DutyCycle {
    private static final Logger log = LoggerFactory.getLogger(Followers.class);
    private static final int BLOCKS_PER_TURN = 16;
    /** Blocks of the archive that one pass reads for all followers. */
    static final int ARCHIVE_BLOCKS_PER_PASS = 16;
    /** Likewise, bytes; the last block may exceed it. */
    static final int ARCHIVE_BYTES_PER_PASS = 1 << 20;

    /** Bytes that wait for all readers; a block may be given to one of whose streams none waits. */
    static final long UNREAD_BYTES_MAX = 128 << 20;
    /** Likewise, for those of one holder. */
    static final long UNREAD_BYTES_PER_HOLDER = 32 << 20;

    /** As for whole blocks. */
    static final long UNREAD_RECEIPTS_MAX = 32 << 20;
    /** That is what all streams of an address may leave unread whose messages have at most 32 KiB. */
    static final long UNREAD_RECEIPTS_PER_HOLDER = 8 << 20;

    private static final long IDLE_NS = 250_000_000L;
    /** Damages that are logged; the search of the archive for damage reports all. */
    private static final int LOGGED_MAX = 1_000;

    private final CommittedBlocks blocks;
    private final Runnable onCut;
    private final ReadBudget archiveReads;
    private final long stallNs;
    private final ConcurrentLinkedQueue<Turn> arrived = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    /** Those whose next block is in memory or not committed yet, and those that can take nothing now. */
    private final ArrayDeque<Turn> current = new ArrayDeque<>();

    /** Those of them that this pass has served. */
    private final ArrayDeque<Turn> served = new ArrayDeque<>();
    /** Those that lag and found no room: one of them is served before others take it. */
    private final ArrayDeque<Turn> crowdedOut = new ArrayDeque<>();

    private final UnreadBytes unreadBlocks = new UnreadBytes(UNREAD_BYTES_MAX, UNREAD_BYTES_PER_HOLDER);
    private final UnreadBytes unreadReceipts = new UnreadBytes(UNREAD_RECEIPTS_MAX, UNREAD_RECEIPTS_PER_HOLDER);
    private final ArchiveTurns lagging = new ArchiveTurns();
    private volatile int laggingCount;
    private volatile long unreadBytes;
    private final AtomicLong archiveBytes = new AtomicLong();
    /** What was logged, which readers that come again do not repeat. */
    private final Set<String> logged = new HashSet<>();
    /** Of streams that end for want of memory. */
    private final LinePace lines = new LinePace();

    /** What a follower needs now. */
    private enum Need {
        /** Nothing any more: its stream has ended. */
        GONE,
        /** Nothing: it has all, or its stream takes nothing. */
        NOTHING,
        /** That its holder reads what its streams were given. */
        ROOM,
        MEMORY,
        ARCHIVE
    }

    /**
     * @param blocks of which followers are served
     * @param onCut runs for each follower that is cut off
     * @param archiveReads limits the bytes that are read for followers far behind
     * @param stallMs milliseconds after which a follower that reads nothing is cut off
     */
    public Followers(CommittedBlocks blocks, Runnable onCut, ReadBudget archiveReads, int stallMs) {
        this.blocks = blocks;
        this.onCut = onCut;
        this.archiveReads = archiveReads;
        this.stallNs = TimeUnit.MILLISECONDS.toNanos(stallMs);
    }

    /**
     * Adds a follower, on the thread that begins its call; how many there can be is the gateway's to limit.
     *
     * @param holder makes the call; equal objects are one
     * @param follower of this instance from now on
     */
    void add(Object holder, CommitFollower<?> follower) {
        follower.onChange(this::signal);
        count.incrementAndGet();
        arrived.add(new Turn(holder, follower));
        signal();
    }

    /**
     * Signals that a block was committed, or that a stream can take more; wakes no thread if there is no follower. Any
     * thread.
     */
    public void signal() {
        if (count.get() > 0) {
            isSignalled.set(true);
            wakeUp();
        }
    }

    public int count() {
        return count.get();
    }

    /**
     * Returns how many read from the archive now, or wait for their turn, because memory has their next block no more.
     */
    int laggingCount() {
        return laggingCount;
    }

    /** Returns how many bytes wait in memory until readers take them, as of the last pass. */
    public long unreadBytes() {
        return unreadBytes;
    }

    /** Returns how many bytes of the archive were read for them since the start. */
    long archiveBytes() {
        return archiveBytes.get();
    }

    /** Returns in how many seconds readers of the archive waited because all that may be read was read. */
    long throttledSeconds() {
        return archiveReads.throttledSeconds();
    }

    @Override
    public boolean hasWork() {
        return isSignalled.get();
    }

    @Override
    public long idleNs() {
        return count.get() == 0 ? Long.MAX_VALUE : IDLE_NS;
    }

    @Override
    public int doWork() {
        isSignalled.set(false);
        for (Turn next = arrived.poll(); next != null; next = arrived.poll()) {
            current.add(next);
        }
        count.addAndGet(-lagging.removeCancelled() - removeCancelledOnes());
        unreadBlocks.settle();
        unreadReceipts.settle();
        long now = System.nanoTime();
        int done = serveOneCrowdedOut(now) + serveCurrent(now) + serveLagging(now);
        laggingCount = lagging.count() + crowdedOut.size();
        unreadBytes = unreadBlocks.total() + unreadReceipts.total();
        return done;
    }

    /** Of those that were crowded out, for which there may be nothing left to read for long. */
    private int removeCancelledOnes() {
        int before = crowdedOut.size();
        crowdedOut.removeIf(turn -> turn.follower().isCancelled());
        return before - crowdedOut.size();
    }

    /** Returns the number of blocks that were sent. */
    private int serveOneCrowdedOut(long now) {
        for (int left = crowdedOut.size(); left > 0 && archiveReads.isLeft(now); left--) {
            Turn turn = crowdedOut.remove();
            if (serveOld(turn, need(turn, now)) > 0) {
                return 1;
            }
        }
        return 0;
    }

    /** Returns the number of blocks that were sent. */
    private int serveCurrent(long now) {
        int done = 0;
        for (int left = current.size(); left > 0; left--) {
            Turn turn = current.remove();
            Need need = need(turn, now);
            int taken = 0;
            for (; need == Need.MEMORY && taken < BLOCKS_PER_TURN; taken++) {
                need = send(turn) > 0 ? need(turn, now) : Need.GONE;
            }
            done += taken;
            if (need == Need.ARCHIVE) {
                lagging.add(turn);
            } else if (need == Need.GONE) {
                count.decrementAndGet();
            } else if (taken > 0) {
                served.add(turn);
            } else {
                current.add(turn);
            }
        }
        current.addAll(served);
        served.clear();
        return done;
    }

    /** One block per turn; returns 0 if a further pass without a signal would do nothing either. */
    private int serveLagging(long now) {
        int done = 0;
        long bytesRead = 0;
        while (lagging.count() > 0
                && done < ARCHIVE_BLOCKS_PER_PASS
                && bytesRead < ARCHIVE_BYTES_PER_PASS
                && archiveReads.isLeft(now)) {
            Optional<Turn> turn = lagging.next();
            if (turn.isEmpty()) {
                break;
            }
            Need need = need(turn.get(), now);
            bytesRead += serveOld(turn.get(), need);
            done += need == Need.ARCHIVE || need == Need.MEMORY ? 1 : 0;
        }
        return done;
    }

    /** Sends a block of the archive, if that is needed, and has the follower wait for the next; returns its bytes. */
    private int serveOld(Turn turn, Need need) {
        int sent = need == Need.ARCHIVE ? send(turn) : 0;
        archiveReads.spend(sent);
        archiveBytes.addAndGet(sent);
        if (sent > 0) {
            lagging.add(turn);
        } else if (need == Need.ROOM) {
            crowdedOut.add(turn);
        } else if (need == Need.NOTHING || need == Need.MEMORY) {
            current.add(turn);
        } else {
            count.decrementAndGet();
        }
        return sent;
    }

    private Need need(Turn turn, long now) {
        CommitFollower<?> follower = turn.follower();
        if (follower.isCancelled() || follower.isDone()) {
            return Need.GONE;
        }
        long last = blocks.lastSequence();
        if (follower.nextSequence() > last) {
            return !follower.isReady() || catchUp(follower, last, now) ? Need.NOTHING : Need.GONE;
        }
        if (!follower.isReady()) {
            if (follower.stalledNanos(now) < stallNs) {
                return Need.NOTHING;
            }
            onCut.run();
            follower.cut();
            return Need.GONE;
        }
        if (!unreadOf(turn).hasRoom(turn.holder())) {
            return Need.ROOM;
        }
        return blocks.isInMemory(follower.nextSequence()) ? Need.MEMORY : Need.ARCHIVE;
    }

    private UnreadBytes unreadOf(Turn turn) {
        return turn.follower().takesWholeBlocks() ? unreadBlocks : unreadReceipts;
    }

    /** Returns whether the stream goes on. */
    private boolean catchUp(CommitFollower<?> follower, long last, long now) {
        try {
            follower.caughtUp(last, now);
            return true;
        } catch (ArchiveException e) {
            endAtDamage(follower, e);
            return false;
        } catch (OutOfMemoryError e) {
            endWithoutMemory(follower, e);
            return false;
        }
    }

    /** Sends a follower its next block; returns the block's length, 0 if its stream has ended instead. */
    private int send(Turn turn) {
        CommitFollower<?> follower = turn.follower();
        long sequence = follower.nextSequence();
        try {
            Optional<DecodedBlock> block = blocks.decodedBlock(sequence);
            if (block.isEmpty()) {
                follower.fail(Status.OUT_OF_RANGE.withDescription(
                        "block " + sequence + " cannot be read here; the first is " + blocks.firstSequence()));
                return 0;
            }
            unreadOf(turn).given(turn, follower.take(block.get()));
            return block.get().block().length();
        } catch (ArchiveException | MalformedBlockException e) {
            endAtDamage(follower, e);
            return 0;
        } catch (OutOfMemoryError e) {
            endWithoutMemory(follower, e);
            return 0;
        }
    }

    /** The memory outside of the heap is that of all ports: the node goes on without this stream. */
    private void endWithoutMemory(CommitFollower<?> follower, OutOfMemoryError full) {
        long sequence = follower.nextSequence();
        String line = lines.of(0, "a stream ends before block " + sequence + ": " + full, System.nanoTime());
        if (!line.isEmpty()) {
            log.error(line);
        }
        try {
            follower.fail(Status.RESOURCE_EXHAUSTED.withDescription("no memory for block " + sequence + " now"));
        } catch (IllegalStateException e) {
            log.debug("gRPC has ended the stream itself, in the midst of its message", e);
        }
    }

    /** What the disk has changed is no fault of the node: other readers go on. */
    private void endAtDamage(CommitFollower<?> follower, RuntimeException damage) {
        long sequence = follower.nextSequence();
        if (logged.size() < LOGGED_MAX && logged.add(damage.getMessage())) {
            log.error("a stream ends before block {}: {}", sequence, damage.getMessage());
        }
        follower.fail(Status.DATA_LOSS.withDescription(
                "block " + sequence + ", or the certificate to send next, is damaged here, ask another node"));
    }
}
