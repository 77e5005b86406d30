package io.sealbook.perf.proxy;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;

/** The condition of each direction between two members, and what each may send. Any thread. */
public final class LinkTable {
    private final int size;
    private final AtomicReferenceArray<LinkCondition> conditions;
    private final List<Bandwidth> senders;
    private volatile long egressBytesPerSecond;

    /** Makes a table of good links between members 0 to {@code size - 1}. */
    public LinkTable(int size) {
        this.size = size;
        this.conditions = new AtomicReferenceArray<>(size * size);
        this.senders = Stream.generate(Bandwidth::new).limit(size).toList();
        heal();
    }

    /** Returns the number of members. */
    public int size() {
        return size;
    }

    /**
     * Sets one direction.
     *
     * @param from sender of the bytes
     * @param to receiver of the bytes
     * @param condition from now on, also of connections that exist
     */
    public void set(int from, int to, LinkCondition condition) {
        conditions.set(from * size + to, condition);
    }

    /** Sets the condition of all directions. */
    public void setAll(LinkCondition condition) {
        for (int i = 0; i < size * size; i++) {
            conditions.set(i, condition);
        }
    }

    /** Limits what each member sends to all others together, in bytes per second; 0 is no limit. */
    public void setEgress(long bytesPerSecond) {
        egressBytesPerSecond = bytesPerSecond;
    }

    /**
     * Has bytes of one direction leave after all that the sender sent before.
     *
     * @param from sender; one that is no member has no limit
     * @param to receiver; to one that is no member there is no limit
     * @param byteCount how many
     * @param nowNs of {@link System#nanoTime}
     * @return when the last of them has left
     */
    long leave(int from, int to, int byteCount, long nowNs) {
        return isMember(from) && isMember(to) ? senders.get(from).leave(byteCount, egressBytesPerSecond, nowNs) : nowNs;
    }

    /**
     * Returns the condition of one direction.
     *
     * @param from sender of the bytes; one that is no member has good links
     * @param to receiver of the bytes
     */
    LinkCondition get(int from, int to) {
        return isMember(from) && isMember(to) ? conditions.get(from * size + to) : LinkCondition.GOOD;
    }

    /** Makes all links good. */
    public void heal() {
        egressBytesPerSecond = 0;
        setAll(LinkCondition.GOOD);
    }

    private boolean isMember(int id) {
        return id >= 0 && id < size;
    }
}
