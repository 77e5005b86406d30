package io.sealbook.pbft;

import java.util.ArrayList;
import java.util.List;

/** Serves sessions in turn: how much of each a block takes, and the order of its batches. */
final class SessionTurns {
    private SessionTurns() {}

    /** Receives the batches of a block in their order. */
    @FunctionalInterface
    interface BatchSink {
        /**
         * Takes a batch.
         *
         * @param session place of the session in the proposal
         * @param index of the batch in the session's range, from 0
         */
        void accept(int session, int index);
    }

    /**
     * Deals the room of a block: one batch to each session that has one, then a second one, and so on.
     *
     * @param waiting how many batches of each session are ready
     * @param countMax room of the block, 1 or more
     * @param first place of the session that is served first
     * @return how many of each session the block takes
     */
    static int[] shares(long[] waiting, int countMax, int first) {
        int[] shares = new int[waiting.length];
        int left = countMax;
        List<Integer> hungry = new ArrayList<>(waiting.length);
        for (int i = 0; i < waiting.length; i++) {
            int session = (first + i) % waiting.length;
            if (waiting[session] > 0) {
                hungry.add(session);
            }
        }
        while (left >= hungry.size() && !hungry.isEmpty()) {
            int each = left / hungry.size();
            for (int session : hungry) {
                int taken = (int) Math.min(each, waiting[session] - shares[session]);
                shares[session] += taken;
                left -= taken;
            }
            hungry.removeIf(session -> shares[session] == waiting[session]);
        }
        for (int i = 0; i < Math.min(left, hungry.size()); i++) {
            shares[hungry.get(i)]++;
        }
        return shares;
    }

    /**
     * Names the batches of a block in their order: the sessions in turn, each in the order of its numbers. Which
     * session begins changes from block to block, so that none always trades first. The proposal alone decides.
     *
     * @param counts how many batches of each session the block has
     * @param sequence of the block, 1 or more
     * @param sink called once per batch
     */
    static void inOrder(int[] counts, long sequence, BatchSink sink) {
        int[] inTurn = new int[counts.length];
        int left = 0;
        for (int i = 0; i < counts.length; i++) {
            int session = (int) ((sequence + i) % counts.length);
            if (counts[session] > 0) {
                inTurn[left++] = session;
            }
        }
        for (int index = 0; left > 0; index++) {
            int stay = 0;
            for (int i = 0; i < left; i++) {
                int session = inTurn[i];
                sink.accept(session, index);
                if (index + 1 < counts[session]) {
                    inTurn[stay++] = session;
                }
            }
            left = stay;
        }
    }
}
