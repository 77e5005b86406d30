package io.sealbook.pbft;

import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Serves brokers in turn, one batch each, and of each broker its sessions in turn: a broker gets no larger share of a
 * block, and no better place in it, by opening more sessions.
 */
final class SessionTurns {
    /** What is left of one session. */
    private static final class Turn {
        final int place;
        final long count;
        int index;

        Turn(int place, long count) {
            this.place = place;
            this.count = count;
        }
    }

    /** The broker that was served last, and of each broker the session. */
    static final class LastServed {
        private final Map<Integer, Long> sessions = new TreeMap<>();
        private long broker = -1;

        void set(long sessionKey) {
            int brokerId = SessionKey.brokerId(sessionKey);
            broker = Integer.toUnsignedLong(brokerId);
            sessions.put(brokerId, sessionKey);
        }

        private boolean isBrokerBefore(long sessionKey) {
            return Integer.toUnsignedLong(SessionKey.brokerId(sessionKey)) <= broker;
        }

        private boolean isSessionBefore(long sessionKey) {
            return sessionKey <= sessions.getOrDefault(SessionKey.brokerId(sessionKey), -1L);
        }
    }

    /** Receives batches in their order. */
    @FunctionalInterface
    interface BatchSink {
        /**
         * Takes a batch.
         *
         * @param place of its session among the keys
         * @param index of the batch among the counted ones of the session, from 0
         */
        void accept(int place, int index);
    }

    /** The sessions of each broker, both in the order of their turns; none is empty. */
    private final ArrayDeque<ArrayDeque<Turn>> brokers = new ArrayDeque<>();

    /** In the order in which brokers and sessions appear. */
    private SessionTurns(List<Integer> places, long[] keys, long[] counts) {
        Map<Integer, ArrayDeque<Turn>> ofBroker = new LinkedHashMap<>();
        for (int place : places) {
            if (counts[place] > 0) {
                ofBroker.computeIfAbsent(SessionKey.brokerId(keys[place]), broker -> new ArrayDeque<>())
                        .add(new Turn(place, counts[place]));
            }
        }
        brokers.addAll(ofBroker.values());
    }

    /**
     * Returns the turns in a block. Which one begins changes from block to block, so that none always trades first; the
     * proposal alone decides.
     *
     * @param keys of the sessions, ascending
     * @param counts how many batches of each session the block has
     * @param sequence of the block, 1 or more
     */
    static SessionTurns ofBlock(long[] keys, long[] counts, long sequence) {
        SessionTurns turns = new SessionTurns(places(keys).toList(), keys, counts);
        rotate(turns.brokers, sequence);
        turns.brokers.forEach(sessions -> rotate(sessions, sequence));
        return turns;
    }

    private static <T> void rotate(ArrayDeque<T> queue, long steps) {
        for (long i = queue.isEmpty() ? 0 : steps % queue.size(); i > 0; i--) {
            queue.add(queue.remove());
        }
    }

    /**
     * Returns the turns after those who were served before.
     *
     * @param keys of the sessions, ascending
     * @param counts how many batches of each session wait
     * @param last who was served last
     */
    static SessionTurns after(long[] keys, long[] counts, LastServed last) {
        Comparator<Integer> inTurn = Comparator.<Integer, Boolean>comparing(place -> last.isBrokerBefore(keys[place]))
                .thenComparing(place -> SessionKey.brokerId(keys[place]), Integer::compareUnsigned)
                .thenComparing(place -> last.isSessionBefore(keys[place]))
                .thenComparing(Comparator.naturalOrder());
        return new SessionTurns(places(keys).sorted(inTurn).toList(), keys, counts);
    }

    private static Stream<Integer> places(long[] keys) {
        return IntStream.range(0, keys.length).boxed();
    }

    /** Hands over at most a number of batches; those after them stay. */
    void deal(int countMax, BatchSink sink) {
        for (int i = 0; i < countMax && !brokers.isEmpty(); i++) {
            ArrayDeque<Turn> sessions = brokers.remove();
            Turn turn = sessions.remove();
            sink.accept(turn.place, turn.index);
            turn.index++;
            if (turn.index < turn.count) {
                sessions.add(turn);
            }
            if (!sessions.isEmpty()) {
                brokers.add(sessions);
            }
        }
    }
}
