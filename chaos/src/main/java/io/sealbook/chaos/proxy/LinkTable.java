package io.sealbook.chaos.proxy;

import java.util.concurrent.atomic.AtomicReferenceArray;

/** The condition of each direction between two members. Any thread. */
public final class LinkTable {
    private final int size;
    private final AtomicReferenceArray<LinkCondition> conditions;

    /** Makes a table of good links between members 0 to {@code size - 1}. */
    public LinkTable(int size) {
        this.size = size;
        this.conditions = new AtomicReferenceArray<>(size * size);
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
        for (int i = 0; i < size * size; i++) {
            conditions.set(i, LinkCondition.GOOD);
        }
    }

    private boolean isMember(int id) {
        return id >= 0 && id < size;
    }
}
