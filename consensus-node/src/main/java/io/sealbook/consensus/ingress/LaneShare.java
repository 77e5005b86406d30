package io.sealbook.consensus.ingress;

/**
 * The slots of the ring that one of several lanes takes: every {@code count}-th.
 *
 * @param lane from 0
 * @param count lanes that share the ring
 */
record LaneShare(int lane, int count) {
    static final LaneShare ALL = new LaneShare(0, 1);

    boolean has(long sequence) {
        return sequence % count == lane;
    }
}
