package io.sealbook.access;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * Connections of a TLS port whose client has not shown its certificate yet. They have places of their own, so that a
 * caller without a certificate takes none from those who have one. A new connection always gets a place; if none is
 * free, the oldest of the address that holds most loses its own.
 *
 * <pre>
 *   accepted ──▶ silent ──its hello is answered──▶ shaking ──certificate──▶ over
 *                  └── place lost to another, closed, timed out ──┘
 * </pre>
 *
 * <p>A client that speaks no TLS stays silent, and so takes no place from one that does. Any thread; the lock is held
 * while maps are read and changed.
 */
final class Handshakes {
    private final FairPlaces<Channel> silent;
    private final FairPlaces<Channel> shaking;
    private final Map<Channel, FairPlaces<Channel>> held = new HashMap<>();

    /** @param placesMax silent connections, and as many that are answered */
    Handshakes(int placesMax) {
        this.silent = new FairPlaces<>(placesMax);
        this.shaking = new FairPlaces<>(placesMax);
    }

    /**
     * Gives a new connection a place.
     *
     * @return connection that has lost its place for it, which the caller closes; null if none has
     */
    synchronized Channel onAccepted(Channel channel, InetAddress address) {
        return take(silent, channel, address);
    }

    /**
     * Moves a connection whose hello is answered; nothing happens if it holds no place any more.
     *
     * @return connection that has lost its place for it, which the caller closes; null if none has
     */
    synchronized Channel onAnswered(Channel channel, InetAddress address) {
        if (held.get(channel) != silent) {
            return null;
        }
        silent.release(channel);
        return take(shaking, channel, address);
    }

    /** Frees the place of a connection whose handshake has ended, or that is closed. */
    synchronized void onOver(Channel channel) {
        FairPlaces<Channel> places = held.remove(channel);
        if (places != null) {
            places.release(channel);
        }
    }

    private Channel take(FairPlaces<Channel> places, Channel channel, InetAddress address) {
        held.put(channel, places);
        Channel evicted = places.take(channel, address);
        if (evicted != null) {
            held.remove(evicted);
        }
        return evicted;
    }
}
