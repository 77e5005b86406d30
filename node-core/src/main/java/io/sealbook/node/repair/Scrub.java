package io.sealbook.node.repair;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Reads the whole archive slowly, from its last block to its first, and again after a rest: rot is found before an
 * auditor finds it. Each block is held against the hash that the block after it names, so that no right checksum hides
 * other bytes. What is damaged is quarantined by the archive. One thread.
 */
public final class Scrub {
    private static final long NS_PER_SECOND = 1_000_000_000L;
    /** An engine that has not come further for this time may have met damage. */
    private static final long AWAITED_NS = NS_PER_SECOND;
    /** A damaged block costs a read of about this size. */
    private static final int DAMAGED_BYTES = 4_096;

    private final BlockArchive archive;
    private final long bytesPerSecond;
    private final long restNs;
    private final LongSupplier executed;
    /** The block that the engine's side needed next when it was last looked at, and when. */
    private long awaited;

    private long awaitedSinceNs;
    /** Next block to read. */
    private long next;

    private boolean isInPass;

    private Optional<Digest> expected = Optional.empty();
    private long dueNs;
    private boolean isDue;
    private volatile long passCount;
    private volatile long blockCount;

    /**
     * @param archive the node's own
     * @param bytesPerSecond of the disk that it may take, above 0
     * @param restNs between two passes, nanoseconds
     * @param executed the last block whose result the engine has reported
     */
    public Scrub(BlockArchive archive, long bytesPerSecond, long restNs, LongSupplier executed) {
        this.executed = executed;
        this.archive = archive;
        this.bytesPerSecond = bytesPerSecond;
        this.restNs = restNs;
    }

    /**
     * Reads the next block, if it is time.
     *
     * @param nowNs monotonic clock
     * @return how long nothing need be done, nanoseconds
     */
    public long step(long nowNs) {
        checkAwaited(nowNs);
        if (isDue && dueNs - nowNs > 0) {
            return Math.min(dueNs - nowNs, AWAITED_NS);
        }
        isDue = true;
        if (!isInPass) {
            isInPass = true;
            archive.health().checkCertificates();
            next = archive.lastSequence();
            expected = archive.health().expectedHash(next);
        }
        if (next < archive.firstSequence()) {
            isInPass = false;
            passCount = passCount + 1;
            dueNs = nowNs + restNs;
            return Math.min(restNs, AWAITED_NS);
        }
        long waitNs = check() * NS_PER_SECOND / bytesPerSecond;
        dueNs = nowNs + waitNs;
        return waitNs;
    }

    /** An engine that stands still may have met damage: it waits until the block after its last one is whole. */
    private void checkAwaited(long nowNs) {
        long next = Math.max(executed.getAsLong() + 1, archive.firstSequence());
        if (next != awaited) {
            awaited = next;
            awaitedSinceNs = nowNs;
        } else if (nowNs - awaitedSinceNs >= AWAITED_NS && next <= archive.lastSequence()) {
            awaitedSinceNs = nowNs;
            archive.health().check(next, Optional.empty());
        }
    }

    /** Reads one block; returns its length. */
    private long check() {
        Optional<Block> block = archive.health().check(next, expected);
        blockCount = blockCount + 1;
        next--;
        expected = block.map(found -> found.header().previousHash())
                .or(() -> next < archive.firstSequence()
                        ? Optional.empty()
                        : archive.health().expectedHash(next));
        return block.map(Block::length).orElse(DAMAGED_BYTES);
    }

    /** Returns how often the whole archive has been read. Any thread. */
    public long passCount() {
        return passCount;
    }

    /** Returns how many blocks have been read. Any thread. */
    public long blockCount() {
        return blockCount;
    }
}
