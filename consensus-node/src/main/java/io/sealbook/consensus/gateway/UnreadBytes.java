package io.sealbook.consensus.gateway;

import io.sealbook.consensus.gateway.ArchiveTurns.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What was given to streams and waits in memory until their readers take it, by holder. gRPC has copied it out of the
 * heap. A stream that has ended counts until gRPC has closed it, or the port has reset it 30 s later: what it was given
 * before is not gone. One thread.
 */
final class UnreadBytes {
    private final long totalMax;
    private final long perHolderMax;
    private final Map<Object, Long> byHolder = new HashMap<>();
    private final List<Unread> unread = new ArrayList<>();
    private long total;

    /**
     * What a stream had not taken when it was given a block.
     *
     * @param turn of the stream
     * @param bytes that it was given with the block
     */
    private record Unread(Turn turn, long bytes) {}

    /**
     * @param totalMax bytes of all holders; the last block of each may exceed it
     * @param perHolderMax bytes of one holder; its last block may exceed it
     */
    UnreadBytes(long totalMax, long perHolderMax) {
        this.totalMax = totalMax;
        this.perHolderMax = perHolderMax;
    }

    /** Returns whether a stream of the holder may be given a block: its first one in any case. */
    boolean hasRoom(Object holder) {
        long held = byHolder.getOrDefault(holder, 0L);
        return held == 0 || held < perHolderMax && total < totalMax;
    }

    /** Returns the bytes that wait for all readers. */
    long total() {
        return total;
    }

    /** Notes what a stream was given, unless it has taken that at once. */
    void given(Turn turn, long bytes) {
        if (bytes > 0 && !turn.follower().hasTakenAll()) {
            unread.add(new Unread(turn, bytes));
            change(turn.holder(), bytes);
        }
    }

    /** Releases what streams have taken since, or will never take. */
    void settle() {
        unread.removeIf(this::isTaken);
    }

    private boolean isTaken(Unread one) {
        if (!one.turn().follower().hasTakenAll()) {
            return false;
        }
        change(one.turn().holder(), -one.bytes());
        return true;
    }

    private void change(Object holder, long bytes) {
        byHolder.merge(holder, bytes, (before, by) -> before + by == 0 ? null : before + by);
        total += bytes;
    }
}
