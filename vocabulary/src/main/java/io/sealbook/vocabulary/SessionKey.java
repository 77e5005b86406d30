package io.sealbook.vocabulary;

/**
 * A session among those of all brokers, as one number: the broker's id in the bits from 16 on, the session below.
 * Members propose administrative transactions in sessions of broker {@link #ADMINISTRATION}, each in the one of its
 * node id.
 */
public final class SessionKey {
    /** Stands for a broker's id in sessions of members; no broker has it. Unsigned, 4,294,967,295. */
    public static final int ADMINISTRATION = 0xFFFFFFFF;

    private static final int SESSION_BITS = 16;

    private SessionKey() {}

    /**
     * Returns the key of a session.
     *
     * @param brokerId unsigned
     * @param session of the broker, 0..{@link BatchPosition#SESSION_MAX}
     */
    public static long of(int brokerId, int session) {
        return Integer.toUnsignedLong(brokerId) << SESSION_BITS | session;
    }

    /** Returns the broker of a key, unsigned. */
    public static int brokerId(long key) {
        return (int) (key >>> SESSION_BITS);
    }

    /** Returns the session of a key within its broker. */
    public static int session(long key) {
        return (int) key & BatchPosition.SESSION_MAX;
    }

    /** Returns whether a session is a member's, for administrative transactions. */
    public static boolean isAdministration(long key) {
        return brokerId(key) == ADMINISTRATION;
    }

    /** Returns a key as text for messages: {@code session 2 of broker 7}, {@code administration session 2}. */
    public static String name(long key) {
        if (isAdministration(key)) {
            return "administration session " + session(key);
        }
        return "session " + session(key) + " of broker " + Integer.toUnsignedString(brokerId(key));
    }
}
