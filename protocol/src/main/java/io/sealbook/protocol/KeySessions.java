package io.sealbook.protocol;

import io.sealbook.protocol.v1.Parameters;

/**
 * The sessions of a broker in which one of its keys signs. They follow from the id of the key and the genesis file, so
 * that all nodes judge a batch alike at any height. Keys whose ids follow each other have sessions of their own: who
 * has stolen a key cannot sign in a session of the next one (docs/decisions/0094). Immutable.
 *
 * @param first session of the key, 0 or more
 * @param count how many it has, 1 or more
 */
public record KeySessions(int first, int count) {
    /**
     * Returns the sessions of a key.
     *
     * @param parameters of the genesis file, with their defaults
     * @param keyId of the key, unsigned; key 1 has the first sessions, key 2 the next ones, and so on, over again when
     *     the sessions of a broker are at their end
     */
    public static KeySessions of(Parameters parameters, int keyId) {
        int all = parameters.getSessionsPerBroker();
        int count = parameters.getSessionsPerKey() == 0 ? all : parameters.getSessionsPerKey();
        int turn = Math.floorMod(Integer.toUnsignedLong(keyId) - 1, all / count);
        return new KeySessions(turn * count, count);
    }

    /**
     * Returns how many sessions a key has in a new genesis file that does not say it: a divisor of those of a broker,
     * at most a quarter of them, so that four keys that follow each other have sessions of their own.
     *
     * @param sessionsPerBroker 1 or more
     */
    public static int perKey(int sessionsPerBroker) {
        int perKey = Math.max(1, sessionsPerBroker / 4);
        while (sessionsPerBroker % perKey != 0) {
            perKey--;
        }
        return perKey;
    }

    /** Returns the last session of the key. */
    public int last() {
        return first + count - 1;
    }

    /** Returns whether the key signs in a session. */
    public boolean has(int session) {
        return first <= session && session <= last();
    }

    @Override
    public String toString() {
        return "sessions " + first + ".." + last();
    }
}
