package io.sealbook.handoff;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Lets the reader of a queue sleep until the writer, in another process of the machine, has appended something. The
 * writer sends a datagram to a port of the loopback address; while the reader is awake nothing is sent. Whoever else
 * sends there makes the reader look into the queue, and no more.
 *
 * <pre>
 *   read ── found ─▶ {@link #onFound} ─▶ read
 *     └──── nothing ─▶ {@link #maySleep} ── false ─▶ read
 *                            └── true ─▶ {@link #await} at most {@link #sleepNs} ─▶ read
 * </pre>
 *
 * A reader that finds something for which no signal came polls, until a signal comes in time again: the writer may be
 * of an older build, or have another loopback address. One thread reads; it calls everything but {@link #wakeUp} and
 * {@link #close}.
 */
public final class QueueWatch implements AutoCloseable {
    /** The usual longest sleep: a signal that is lost costs no more. */
    public static final long SLEEP_MAX_NS = 1_000_000_000;

    private static final int DRAINED_MAX = 64;

    private final WakeUpFile file;
    private final Selector selector;
    private final DatagramChannel signals;
    private final ByteBuffer content = ByteBuffer.allocate(1);
    private final long sleepMaxNs;
    private volatile boolean isSignalled;
    private boolean isAnnounced;
    private boolean hasSlept;
    private boolean isPolling;

    private QueueWatch(WakeUpFile file, Selector selector, DatagramChannel signals, long sleepMaxNs)
            throws IOException {
        this.file = file;
        this.selector = selector;
        this.signals = signals;
        this.sleepMaxNs = sleepMaxNs;
        signals.configureBlocking(false);
        signals.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        signals.register(selector, SelectionKey.OP_READ);
        file.publishPort(signals.socket().getLocalPort());
    }

    /**
     * Opens a watch.
     *
     * @param queue directory of the queue; created if it is absent
     * @param sleepMaxNs longest sleep of a reader that is signalled, usually {@link #SLEEP_MAX_NS}
     * @throws HandOffException if the queue's directory cannot be written, or no port is left
     */
    public static QueueWatch open(Path queue, long sleepMaxNs) {
        WakeUpFile file = WakeUpFile.open(queue);
        try {
            return new QueueWatch(file, Selector.open(), DatagramChannel.open(), sleepMaxNs);
        } catch (IOException e) {
            file.close();
            throw new HandOffException("queue: cannot open a port for signals to " + queue + ": " + e.getMessage(), e);
        }
    }

    /**
     * Has another thread wait for signals, for a reader that does not sleep in {@link #await}.
     *
     * @param wakeUp ends the reader's sleep, also one that only begins; called on the other thread, must not wait
     */
    public void watchFor(Runnable wakeUp) {
        Thread.ofPlatform().name("queue-watch").daemon().start(() -> {
            try {
                while (selector.isOpen()) {
                    await(Long.MAX_VALUE);
                    wakeUp.run();
                }
            } catch (ClosedSelectorException e) {
                // Closed.
            }
        });
    }

    /** Notes that a look into the queue found something. */
    public void onFound() {
        if (hasSlept) {
            isPolling = !isSignalled;
        }
        hasSlept = false;
        if (isAnnounced) {
            isAnnounced = false;
            file.retractSleep();
        }
    }

    /**
     * Notes that a look into the queue found nothing.
     *
     * @return whether the reader may sleep; if not, it looks once more, because something may have come before the
     *     writer could know of its sleep
     */
    public boolean maySleep() {
        if (isAnnounced && !isSignalled) {
            hasSlept = true;
            return true;
        }
        hasSlept = false;
        isAnnounced = true;
        isSignalled = false;
        file.announceSleep();
        return false;
    }

    /** Returns whether a signal has come since the reader announced its sleep. */
    public boolean isSignalled() {
        return isSignalled;
    }

    /**
     * Returns how long to sleep at most, in nanoseconds.
     *
     * @param pollNs how long if signals do not come
     */
    public long sleepNs(long pollNs) {
        return isPolling ? pollNs : sleepMaxNs;
    }

    /**
     * Sleeps until a signal comes or this time has passed, in nanoseconds, which are rounded up to milliseconds. Not if
     * another thread waits for signals.
     */
    public void await(long nanos) {
        try {
            selector.select(TimeUnit.NANOSECONDS.toMillis(nanos - 1) + 1);
            selector.selectedKeys().clear();
            for (int i = 0; i < DRAINED_MAX && signals.receive(content.clear()) != null; i++) {
                isSignalled = true;
            }
        } catch (ClosedChannelException e) {
            // Closed.
        } catch (IOException e) {
            throw new UncheckedIOException("queue: cannot wait for signals", e);
        }
    }

    /** Ends the reader's sleep, also one that only begins. Any thread. */
    public void wakeUp() {
        selector.wakeup();
    }

    /** Ends the watch. Any thread; no reader sleeps in {@link #await}. */
    @Override
    public void close() {
        try (file;
                signals) {
            file.publishPort(0);
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
