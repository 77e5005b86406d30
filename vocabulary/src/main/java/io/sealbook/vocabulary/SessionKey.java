package io.sealbook.vocabulary;

/** A session among those of all brokers, as one number: the broker's id in the bits from 16 on, the session below. */
public final class SessionKey {
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

    /** Returns a key as text for messages: {@code session 2 of broker 7}. */
    public static String name(long key) {
        return "session " + session(key) + " of broker " + Integer.toUnsignedString(brokerId(key));
    }
}
