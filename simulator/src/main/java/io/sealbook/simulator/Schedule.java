package io.sealbook.simulator;

import java.util.PriorityQueue;

/** Virtual time: what happens when, one event after another. */
final class Schedule {
    private record Event(long timeNs, long order, Runnable action) {}

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.timeNs != b.timeNs ? Long.compare(a.timeNs, b.timeNs) : Long.compare(a.order, b.order));
    private long nowNs;
    private long scheduled;
    private long eventCount;

    long nowNs() {
        return nowNs;
    }

    long eventCount() {
        return eventCount;
    }

    /**
     * Has something happen later.
     *
     * @param delayNs from now, 0 or more
     * @param action events of one instant run in the order in which they were scheduled
     */
    void after(long delayNs, Runnable action) {
        events.add(new Event(nowNs + delayNs, scheduled++, action));
    }

    void runUntil(long endNs) {
        while (!events.isEmpty() && events.peek().timeNs <= endNs) {
            Event event = events.poll();
            nowNs = event.timeNs;
            eventCount++;
            event.action.run();
        }
        nowNs = endNs;
    }
}
