package io.sealbook.nativecode;

import java.util.ArrayList;
import java.util.List;

/**
 * Keys in a circle. A hand moves on by {@value #LOOKS_MAX} keys at each look, so that an old key is found without a
 * scan of all. A key is in one ring at most. Not thread-safe: {@link NativeKeyTables} holds its lock.
 */
final class KeyRing {
    static final int LOOKS_MAX = 8;

    private final List<KnownKey> keys = new ArrayList<>();
    private int hand;

    int size() {
        return keys.size();
    }

    boolean contains(KnownKey key) {
        return key.ring == this;
    }

    /** Adds a key that is in no ring. */
    void add(KnownKey key) {
        if (key.ring != null) {
            throw new IllegalStateException("the key is in a ring already, at " + key.place);
        }
        key.ring = this;
        key.place = keys.size();
        keys.add(key);
    }

    /** Removes a key of this ring; the last one takes its place. */
    void remove(KnownKey key) {
        if (key.ring != this) {
            throw new IllegalStateException("the key is not in this ring");
        }
        KnownKey last = keys.remove(keys.size() - 1);
        if (last != key) {
            keys.set(key.place, last);
            last.place = key.place;
        }
        key.ring = null;
    }

    /** Removes all keys. */
    void clear() {
        keys.forEach(key -> key.ring = null);
        keys.clear();
    }

    /** Returns the next {@value #LOOKS_MAX} keys, or all if they are fewer, and moves on. */
    List<KnownKey> look() {
        List<KnownKey> looked = new ArrayList<>(LOOKS_MAX);
        while (looked.size() < Math.min(LOOKS_MAX, keys.size())) {
            hand = hand + 1 < keys.size() ? hand + 1 : 0;
            looked.add(keys.get(hand));
        }
        return looked;
    }
}
