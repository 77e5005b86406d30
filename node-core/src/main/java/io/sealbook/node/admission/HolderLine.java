package io.sealbook.node.admission;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * A line that several holders share: they are served in turn, and what each has waiting keeps its order. One thread.
 *
 * @param <T> what waits
 */
final class HolderLine<T> {
    private final Map<Object, ArrayDeque<T>> waiting = new HashMap<>();
    /** The holders of whom something waits, the next one first. */
    private final ArrayDeque<Object> turns = new ArrayDeque<>();

    private int size;

    void add(Object holder, T last) {
        ArrayDeque<T> queue = waiting.computeIfAbsent(holder, of -> new ArrayDeque<>());
        if (queue.isEmpty()) {
            turns.add(holder);
        }
        queue.add(last);
        size++;
    }

    /** Takes out the first of the holder whose turn it is; somebody waits. */
    T remove() {
        Object holder = turns.remove();
        ArrayDeque<T> queue = waiting.get(holder);
        T first = queue.remove();
        size--;
        if (queue.isEmpty()) {
            waiting.remove(holder);
        } else {
            turns.add(holder);
        }
        return first;
    }

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    /** Returns how many of a holder wait. */
    int sizeOf(Object holder) {
        ArrayDeque<T> queue = waiting.get(holder);
        return queue == null ? 0 : queue.size();
    }
}
