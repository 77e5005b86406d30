package io.sealbook.node.admission;

import java.util.ArrayDeque;
import java.util.List;
import java.util.stream.Stream;

/**
 * What waits for admission, in a line for each sender: every peer, and the brokers of this node together. The lines are
 * served in turn. So a peer's batch that a proposal names does not wait for all that brokers have handed in here, and
 * no peer can hold up the others.
 *
 * <p>Half of the room is for whoever comes first. The other half is shared out evenly: a sender finds its part of it
 * whatever the others have sent.
 *
 * <p>One thread, or callers that exclude one another.
 *
 * @param <T> what waits
 */
public final class AdmissionLines<T> {
    private final int room;
    private final int share;
    private final List<ArrayDeque<T>> lines;
    /** The lines in which somebody waits, the next one first. */
    private final ArrayDeque<ArrayDeque<T>> turns = new ArrayDeque<>();

    private int size;
    /** Of the shares, what is not used. */
    private int reserved;

    /**
     * @param room for this many, of all senders together
     * @param nodeCount members of the cluster; this node's own number stands for nobody
     */
    public AdmissionLines(int room, int nodeCount) {
        this.room = room;
        lines = Stream.generate(() -> new ArrayDeque<T>()).limit(nodeCount + 1L).toList();
        share = room / 2 / nodeCount;
        reserved = share * nodeCount;
    }

    /**
     * Adds to the end of a sender's line.
     *
     * @param sender number of a peer, or {@link BatchSource#BROKER}
     * @param waiting is returned by {@link #next} once
     * @return false if the sender's share is used up and the rest of the room, too
     */
    public boolean add(int sender, T waiting) {
        ArrayDeque<T> line = lines.get(sender - BatchSource.BROKER);
        boolean isInShare = line.size() < share;
        if (!isInShare && size + reserved >= room) {
            return false;
        }
        if (isInShare) {
            reserved--;
        }
        if (line.isEmpty()) {
            turns.add(line);
        }
        line.add(waiting);
        size++;
        return true;
    }

    /** Returns the first of the line whose turn it is, and takes it out; null if nobody waits. */
    public T next() {
        ArrayDeque<T> line = turns.poll();
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
