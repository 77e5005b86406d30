package io.sealbook.engine.marketdata;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The newest depth of each instrument. The matching loop overwrites, so that readers of any speed cost it nothing; what
 * was there between two reads is conflated.
 */
public final class DepthBoard {
    private final Map<Integer, AtomicReference<DepthView>> views = new ConcurrentHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean isRead;

    public DepthBoard(List<Integer> instrumentIds) {
        instrumentIds.forEach(id -> views.put(id, new AtomicReference<>(DepthView.empty(id))));
    }

    /** Returns the newest depth, empty for an unknown instrument, and has the next one published soon. Any thread. */
    public Optional<DepthView> of(int instrumentId) {
        if (!isRead) {
            isRead = true;
        }
        return Optional.ofNullable(views.get(instrumentId)).map(AtomicReference::get);
    }

    /** Returns whether any depth was read since {@link #awaitReader}. */
    public boolean isRead() {
        return isRead;
    }

    /** Forgets who has read so far; comes before what is published next. */
    public void awaitReader() {
        isRead = false;
    }

    /** Overwrites the depth of one instrument, which may be new; readers are notified by {@link #announce()}. */
    public void put(DepthView view) {
        AtomicReference<DepthView> newest = views.get(view.instrumentId());
        if (newest == null) {
            views.put(view.instrumentId(), new AtomicReference<>(view));
        } else {
            newest.set(view);
        }
    }

    /** Notifies the listeners that something is new. */
    public void announce() {
        listeners.forEach(Runnable::run);
    }

    /** Adds a listener that is notified on the loop's thread; it must not wait. */
    void onAnnounced(Runnable listener) {
        listeners.add(listener);
    }
}
