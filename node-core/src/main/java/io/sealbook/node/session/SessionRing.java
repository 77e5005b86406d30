package io.sealbook.node.session;

import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;

/**
 * The batches of one session around its last delivered one, in a ring: numbers that wait for their block, and
 * {@value #REMEMBERED} that are in one, by which a batch that is sent again is recognized. One thread at a time.
 *
 * <p>Peers' batches may leave gaps below them; the head moves only over numbers without a gap. Delivery may be out of
 * order within the ring, too.
 *
 * <p>A broker counts what f+1 nodes have delivered. A node that is behind them holds what they have delivered beside
 * what waits for them: of peers it takes more, since a batch that it refuses comes back only when agreement misses it.
 * The ring grows with what it holds and shrinks again.
 */
final class SessionRing {
    /** Numbers beyond the last delivered one that are taken of a broker at most. */
    static final int AHEAD_OF_BROKER_MAX = 2_048;
    /** The same of peers. */
    static final int AHEAD_OF_PEERS_MAX = 16_384;
    /** Numbers beyond the last one without a gap that are taken at most: a lone batch must not make a large ring. */
    static final int GAP_MAX = 1_024;
    /** Numbers up to the last delivered one whose batches are known. */
    static final int REMEMBERED = 1_024;

    static final int CAPACITY_MIN = REMEMBERED + GAP_MAX;

    private enum State {
        /** Not here; a batch after it names its id. */
        NAMED,
        HELD,
        DELIVERED
    }

    /** By number modulo the length, a power of two; 0 where a place is empty. */
    private long[] numbers = new long[CAPACITY_MIN];

    private Digest[] ids = new Digest[CAPACITY_MIN];
    private State[] states = new State[CAPACITY_MIN];
    private long delivered;
    private Digest deliveredId;
    private long held;
    private Digest heldId;
    /** The highest number that has had a place. */
    private long highest;

    /**
     * @param delivered last delivered number, 0 for a new session
     * @param deliveredId its id, zeros for a new session
     */
    SessionRing(long delivered, Digest deliveredId) {
        this.delivered = delivered;
        this.deliveredId = deliveredId;
        this.held = delivered;
        this.heldId = deliveredId;
        this.highest = delivered;
    }

    /**
     * Decides about a batch and holds it if it fits.
     *
     * @param position of the batch
     * @param id of the batch
     * @param mayLeaveGap whether numbers before it may be missing
     */
    Offer offer(BatchPosition position, Digest id, boolean mayLeaveGap) {
        long number = position.number();
        int at = find(number);
        if (at >= 0 && states[at] != State.NAMED) {
            if (!ids[at].equals(id)) {
                return Offer.CONFLICT;
            }
            return states[at] == State.HELD ? Offer.HELD : Offer.DELIVERED;
        }
        if (Long.compareUnsigned(number, delivered) <= 0) {
            return Offer.PASSED;
        }
        if (number != held + 1 && !mayLeaveGap) {
            return Offer.GAP;
        }
        long aheadMax = mayLeaveGap ? AHEAD_OF_PEERS_MAX : AHEAD_OF_BROKER_MAX;
        if (Long.compareUnsigned(number - delivered, aheadMax) > 0 || isBeyondGap(number)) {
            return Offer.FULL;
        }
        Digest before = idOf(number - 1);
        if (at >= 0 && !ids[at].equals(id) || before != null && !before.equals(position.previous())) {
            return Offer.BROKEN_CHAIN;
        }
        if (before == null) {
            put(number - 1, State.NAMED, position.previous());
        }
        put(number, State.HELD, id);
        advance();
        return Offer.TAKEN;
    }

    /**
     * Notes that a batch is in a block. What was held after another batch of its number is forgotten.
     *
     * @param number of the batch
     * @param id of the batch
     */
    void delivered(long number, Digest id) {
        if (Long.compareUnsigned(number, delivered) <= 0) {
            if (delivered - number < REMEMBERED && !isAt(number, State.DELIVERED)) {
                put(number, State.DELIVERED, id);
            }
            return;
        }
        if (isBeyondGap(number)) {
            return; // Named by agreement against all rules of admission: the engine alone judges it.
        }
        int at = find(number);
        if (at >= 0 && !ids[at].equals(id)) {
            cutAfter(number);
        }
        put(number, State.DELIVERED, id);
        while (isAt(delivered + 1, State.DELIVERED)) {
            delivered++;
            deliveredId = ids[place(delivered)];
        }
        if (held <= delivered) {
            held = delivered;
            heldId = deliveredId;
        }
        advance();
        shrink();
    }

    /**
     * Forgets a batch that is held; does nothing if it is not.
     *
     * @param number of the batch
     * @param id of the batch
     */
    void release(long number, Digest id) {
        int at = find(number);
        if (at < 0 || states[at] != State.HELD || !ids[at].equals(id)) {
            return;
        }
        states[at] = State.NAMED;
        if (find(number + 1) < 0) {
            numbers[at] = 0;
        }
        if (held >= number) {
            held = number - 1;
            heldId = idOf(held);
        }
    }

    /** Returns the id of the batch under a number that is held or delivered; null if there is none in the ring. */
    Digest holder(long number) {
        int at = find(number);
        return at < 0 || states[at] == State.NAMED ? null : ids[at];
    }

    /** Returns whether exactly this batch is in a block, or its number is too old for the ring. */
    boolean isDelivered(long number, Digest id) {
        int at = find(number);
        if (at >= 0) {
            return states[at] == State.DELIVERED && ids[at].equals(id);
        }
        return Long.compareUnsigned(number, delivered) <= 0;
    }

    /**
     * Returns the head.
     *
     * @param sessionKey of this session
     * @param isSuspended whether the node takes no batch of it
     */
    SessionHead head(long sessionKey, boolean isSuspended) {
        return new SessionHead(sessionKey, held, heldId, delivered, deliveredId, isSuspended);
    }

    /** Moves the head over what has become gapless. */
    private void advance() {
        while (isAt(held + 1, State.HELD) || isAt(held + 1, State.DELIVERED)) {
            held++;
            heldId = ids[place(held)];
        }
    }

    private boolean isBeyondGap(long number) {
        return Long.compareUnsigned(number, held) > 0 && Long.compareUnsigned(number - held, GAP_MAX) > 0;
    }

    private void cutAfter(long number) {
        for (long later = number + 1; later <= highest; later++) {
            int at = find(later);
            if (at >= 0 && states[at] != State.DELIVERED) {
                numbers[at] = 0;
            }
        }
        if (held >= number) {
            held = number - 1;
            heldId = idOf(held);
        }
    }

    /** Returns the id that a number has or is known to have; null if it is not known. */
    private Digest idOf(long number) {
        if (number == delivered) {
            return deliveredId;
        }
        int at = find(number);
        return at < 0 ? null : ids[at];
    }

    private boolean isAt(long number, State state) {
        int at = find(number);
        return at >= 0 && states[at] == state;
    }

    private int find(long number) {
        int at = place(number);
        return number != 0 && numbers[at] == number ? at : -1;
    }

    private int place(long number) {
        return (int) number & numbers.length - 1;
    }

    /** Makes the ring so large that a number and the last ones that are remembered have places of their own. */
    private void makeRoom(long number) {
        int capacity = numbers.length;
        while (Long.compareUnsigned(number - delivered + REMEMBERED, capacity) > 0
                && Long.compareUnsigned(number, delivered) > 0) {
            capacity *= 2;
        }
        if (capacity > numbers.length) {
            resize(capacity);
        }
    }

    /** Returns how many numbers have room. */
    int capacity() {
        return numbers.length;
    }

    /** Halves the ring once a half of the smaller one would do: a session at the edge must not copy it each time. */
    private void shrink() {
        int room = numbers.length / 2 - REMEMBERED;
        if (numbers.length > CAPACITY_MIN && highest - delivered <= room / 2) {
            resize(numbers.length / 2);
        }
    }

    private void resize(int capacity) {
        long[] oldNumbers = numbers;
        Digest[] oldIds = ids;
        State[] oldStates = states;
        numbers = new long[capacity];
        ids = new Digest[capacity];
        states = new State[capacity];
        for (int at = 0; at < oldNumbers.length; at++) {
            if (oldNumbers[at] != 0 && oldNumbers[at] - delivered > -REMEMBERED) {
                fill(oldNumbers[at], oldStates[at], oldIds[at]);
            }
        }
    }

    private void put(long number, State state, Digest id) {
        makeRoom(number);
        if (Long.compareUnsigned(number, highest) > 0) {
            highest = number;
        }
        fill(number, state, id);
    }

    private void fill(long number, State state, Digest id) {
        int at = place(number);
        numbers[at] = number;
        states[at] = state;
        ids[at] = id;
    }
}
