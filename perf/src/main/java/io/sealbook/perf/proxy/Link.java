package io.sealbook.perf.proxy;

/**
 * One direction between two ends of a connection. Any thread.
 *
 * @param links has its condition
 * @param from sender; -1 if it is no member
 * @param to receiver; -1 if it is no member
 */
record Link(LinkTable links, int from, int to) {
    /** Returns the condition now. */
    LinkCondition condition() {
        return links.get(from, to);
    }

    /**
     * Has bytes leave after all that the sender sent to members before.
     *
     * @param byteCount how many
     * @param nowNs of {@link System#nanoTime}
     * @return when the last of them has left
     */
    long leave(int byteCount, long nowNs) {
        return links.leave(from, to, byteCount, nowNs);
    }
}
