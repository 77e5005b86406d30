package io.sealbook.peer;

import io.netty.channel.Channel;
import io.sealbook.access.FairPlaces;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The accepted connections of a role that are not proven. A connection waits for its hello in one of
 * {@code handshakesMax} places; once its hello is right it moves to one of {@code handshakesPerPeerMax} places of the
 * peer that it claims to be. Each number is there twice: once for the members' addresses, once for all others, which
 * thus take no room from members.
 *
 * <pre>
 *   accepted ──▶ silent ──right hello──▶ claims peer i ──proven──▶ session
 *                  └── place lost to another, closed, timed out ──┘
 * </pre>
 *
 * The role's event loop only.
 */
final class HandshakePlaces {
    private final MemberAddresses members;
    private final FairPlaces<Channel> silentMembers;
    private final FairPlaces<Channel> silentStrangers;
    private final List<FairPlaces<Channel>> claimsOfMembers = new ArrayList<>();
    private final List<FairPlaces<Channel>> claimsOfStrangers = new ArrayList<>();
    private final Map<Channel, FairPlaces<Channel>> held = new HashMap<>();
    private final PeerMetrics metrics;

    /**
     * All places are free.
     *
     * @param limits how many places there are
     * @param peerCount how many nodes a connection can claim to be
     * @param members asked for the address of each connection
     * @param metrics counts connections that lose their place
     */
    HandshakePlaces(PeerLimits limits, int peerCount, MemberAddresses members, PeerMetrics metrics) {
        this.members = members;
        this.metrics = metrics;
        this.silentMembers = new FairPlaces<>(limits.handshakesMax());
        this.silentStrangers = new FairPlaces<>(limits.handshakesMax());
        for (int peer = 0; peer < peerCount; peer++) {
            claimsOfMembers.add(new FairPlaces<>(limits.handshakesPerPeerMax()));
            claimsOfStrangers.add(new FairPlaces<>(limits.handshakesPerPeerMax()));
        }
    }

    /** Gives a new connection a place. */
    void onAccepted(Channel channel) {
        InetAddress address = address(channel);
        boolean isMembers = members.contains(address);
        if (!isMembers && silentStrangers.takenCount() > 0) {
            // Rare but under attack, and a member may have moved.
            members.lookUp();
        }
        take(isMembers ? silentMembers : silentStrangers, channel, address);
    }

    /**
     * Moves a connection to a place of the peer that it claims to be.
     *
     * @param channel one that was accepted
     * @param peer id that its hello states
     */
    void onHello(Channel channel, int peer) {
        onOver(channel);
        InetAddress address = address(channel);
        take((members.contains(address) ? claimsOfMembers : claimsOfStrangers).get(peer), channel, address);
    }

    /** Frees the place of a connection that is proven or closed. */
    void onOver(Channel channel) {
        FairPlaces<Channel> places = held.remove(channel);
        if (places != null) {
            places.release(channel);
        }
    }

    private void take(FairPlaces<Channel> places, Channel channel, InetAddress address) {
        held.put(channel, places);
        Channel evicted = places.take(channel, address);
        if (evicted != null) {
            held.remove(evicted);
            metrics.surplus.increment();
            evicted.close();
        }
    }

    private static InetAddress address(Channel channel) {
        return ((InetSocketAddress) channel.remoteAddress()).getAddress();
    }
}
