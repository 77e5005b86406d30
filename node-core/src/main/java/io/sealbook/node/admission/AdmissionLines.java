package io.sealbook.node.admission;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;

/**
 * What waits for admission, in a line for each sender: every peer, and the brokers of this node together. The lines are
 * served in turn. So a peer's batch that a proposal names does not wait for all that brokers have handed in here, and
 * no peer can hold up the others. The brokers are served in turn within their line.
 *
 * <p>Half of the room is for whoever comes first. The other half is shared out evenly: a sender finds its part of it
 * whatever the others have sent. Of a broker no more may wait than there is room left for in the brokers' line (dynamic
 * thresholds, Choudhury and Hahne, 1998): alone it fills half of that room, two fill a third each, and there is room
 * for who comes later.
 *
 * <p>One thread, or callers that exclude one another.
 *
 * @param <T> what waits
 */
public final class AdmissionLines<T> {
    private final int room;
    private final int share;
    private final List<HolderLine<T>> lines;
    /** The lines in which somebody waits, the next one first. */
    private final ArrayDeque<HolderLine<T>> turns = new ArrayDeque<>();

    private int size;
    /** Of the shares, what is not used. */
    private int reserved;

    /**
     * @param room for this many, of all senders together
     * @param nodeCount members of the cluster; this node's own number stands for nobody
     */
    public AdmissionLines(int room, int nodeCount) {
        this.room = room;
        lines = Stream.generate(() -> new HolderLine<T>()).limit(nodeCount + 1L).toList();
        share = room / 2 / nodeCount;
        reserved = share * nodeCount;
    }

    /**
     * Adds to the end of what waits of a holder.
     *
     * @param sender number of a peer, or {@link BatchSource#BROKER}
     * @param holder of those that share the sender's line; equal ones are one
     * @param waiting is returned by {@link #next} once
     * @return false if there is no room: the sender's share is used up and the rest of the room, too, or as many of
     *     this broker wait as there is room left for
     */
    public boolean add(int sender, Object holder, T waiting) {
        HolderLine<T> line = lines.get(sender - BatchSource.BROKER);
        boolean isInShare = line.size() < share;
        int left = room - size - reserved + (isInShare ? share - line.size() : 0);
        if (left <= 0 || sender == BatchSource.BROKER && line.sizeOf(holder) >= left) {
            return false;
        }
        if (isInShare) {
            reserved--;
        }
        if (line.isEmpty()) {
            turns.add(line);
        }
        line.add(holder, waiting);
        size++;
        return true;
    }

    /** Returns the first of the line whose turn it is, and takes it out; null if nobody waits. */
    public T next() {
        HolderLine<T> line = turns.poll();
        if (line == null) {
            return null;
        }
        T first = line.remove();
        size--;
        if (line.size() < share) {
            reserved++;
        }
        if (!line.isEmpty()) {
            turns.add(line);
        }
        return first;
    }

    /** Returns how many wait. */
    public int size() {
        return size;
    }
}
