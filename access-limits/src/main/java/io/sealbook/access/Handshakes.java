package io.sealbook.access;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Connections of a TLS port whose client has not shown its certificate yet. They have places of their own, so that a
 * caller without a certificate takes none from those who have one. A new connection always gets a place; if none is
 * free, the oldest of the address that holds most is displaced.
 *
 * <pre>
 *   accepted ──▶ silent ──its hello is answered──▶ shaking ──certificate──▶ over
 *                  │  ╲                           ╱   │
 *                  └───── closed, timed out, late ────┘
 * </pre>
 *
 * <p>A client that speaks no TLS stays silent, and so takes no place from one that does. What a displaced connection
 * has sent may wait for its event loop, so that loop alone finds it late: one that has made progress by then goes on.
 * Any thread; the lock is held while maps are read and changed.
 */
final class Handshakes {
    private final FairPlaces<Channel> silent;
    private final FairPlaces<Channel> shaking;
    private final Map<Channel, FairPlaces<Channel>> held = new HashMap<>();
    /** Those that have lost their place and made no progress since, and which place it was. */
    private final Map<Channel, FairPlaces<Channel>> displaced = new HashMap<>();

    /**
     * A connection that has lost its place to another.
     *
     * @param channel of it
     * @param place that it has lost
     */
    record Displaced(Channel channel, FairPlaces<Channel> place) {}

    /** @param placesMax silent connections, and as many that are answered */
    Handshakes(int placesMax) {
        this.silent = new FairPlaces<>(placesMax);
        this.shaking = new FairPlaces<>(placesMax);
    }

    /**
     * Gives a new connection a place.
     *
     * @return connection that is displaced for it, about which {@link #isLate} is to be asked; null if none is
     */
    synchronized Displaced onAccepted(Channel channel, InetAddress address) {
        return take(silent, channel, address);
    }

    /**
     * Moves a connection whose hello is answered, also one that is displaced; nothing happens if it is over.
     *
     * @return connection that is displaced for it, about which {@link #isLate} is to be asked; null if none is
     */
    synchronized Displaced onAnswered(Channel channel, InetAddress address) {
        if (held.get(channel) != silent) {
            return null;
        }
        silent.release(channel);
        displaced.remove(channel);
        return take(shaking, channel, address);
    }

    /**
     * Asks about a connection that was displaced, after its event loop has read what had come by then.
     *
     * @return whether it has made no progress since; it is over then, and the caller closes it
     */
    synchronized boolean isLate(Displaced lost) {
        if (!displaced.remove(lost.channel, lost.place)) {
            return false;
        }
        held.remove(lost.channel);
        return true;
    }

    /** Frees the place of a connection whose handshake has ended, or that is closed. */
    synchronized void onOver(Channel channel) {
        displaced.remove(channel);
        FairPlaces<Channel> places = held.remove(channel);
        if (places != null) {
            places.release(channel);
        }
    }

    private Displaced take(FairPlaces<Channel> places, Channel channel, InetAddress address) {
        held.put(channel, places);
        Channel evicted = places.take(channel, address);
        if (evicted == null) {
            return null;
        }
        displaced.put(evicted, places);
        return new Displaced(evicted, places);
    }
}
