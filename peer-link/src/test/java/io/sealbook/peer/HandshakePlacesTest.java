package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sealbook.facts.Facts;
import io.sealbook.peer.handshake.ConnectionRole;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class HandshakePlacesTest {
    private static final int PLACES = PeerLimits.DEFAULTS.handshakesMax();
    private static final int PLACES_PER_PEER = PeerLimits.DEFAULTS.handshakesPerPeerMax();
    private static final String MEMBER = "127.0.0.1";
    private static final String STRANGER = "127.0.0.2";
    private static final String MOVED = "127.0.0.3";

    private volatile List<String> hosts = List.of(MEMBER);
    private final MemberAddresses members = new MemberAddresses(() -> hosts);
    private final HandshakePlaces places = new HandshakePlaces(
            PeerLimits.DEFAULTS, 4, members, new PeerMetrics(new SimpleMeterRegistry(), ConnectionRole.VOTE));

    @BeforeEach
    void lookMembersUp() throws Exception {
        members.lookUp();
        Facts.await("members looked up", () -> isKnown(MEMBER));
    }

    private boolean isKnown(String address) {
        return members.contains(new InetSocketAddress(address, 0).getAddress());
    }

    @Test
    void shouldCloseTheOldestOfAnAddressForItsNext() {
        List<EmbeddedChannel> strangers = accept(STRANGER, PLACES + 2);

        assertThat(strangers.subList(0, 2)).noneMatch(EmbeddedChannel::isOpen);
        assertThat(strangers.subList(2, PLACES + 2)).allMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void shouldKeepRoomForMembers() {
        List<EmbeddedChannel> ofMembers = accept(MEMBER, PLACES);
        accept(STRANGER, 2 * PLACES);

        assertThat(ofMembers).allMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void shouldKeepAConnectionWhoseHelloIsRightFromSilentOnes() {
        EmbeddedChannel dialer = accept(MEMBER, 1).getFirst();
        places.onHello(dialer, 3);
        accept(MEMBER, 2 * PLACES);

        assertThat(dialer.isOpen()).isTrue();
    }

    @Test
    void shouldShareThePlacesOfAPeerToo() {
        EmbeddedChannel dialer = accept(MEMBER, 1).getFirst();
        places.onHello(dialer, 3);
        List<EmbeddedChannel> liars = accept(STRANGER, PLACES_PER_PEER + 1);
        liars.forEach(liar -> places.onHello(liar, 3));

        assertThat(dialer.isOpen()).isTrue();
        assertThat(liars.getFirst().isOpen()).isFalse();
        assertThat(liars.subList(1, liars.size())).allMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void shouldGiveAFreedPlaceAway() {
        List<EmbeddedChannel> strangers = accept(STRANGER, PLACES);
        places.onOver(strangers.get(5));
        accept(STRANGER, 1);

        assertThat(strangers).allMatch(EmbeddedChannel::isOpen);
    }

    @Test
    void shouldFindAMemberThatHasMovedAsSoonAsStrangersTakePlaces() throws Exception {
        hosts = List.of(MOVED);
        accept(STRANGER, 1);
        // Names are looked up once per second.
        Facts.await("the member is known where it is now", () -> {
            accept(MOVED, 1);
            return isKnown(MOVED);
        });

        List<EmbeddedChannel> ofMembers = accept(MOVED, 1);
        accept(STRANGER, 2 * PLACES);

        assertThat(ofMembers).allMatch(EmbeddedChannel::isOpen);
    }

    private List<EmbeddedChannel> accept(String address, int count) {
        List<EmbeddedChannel> accepted = new ArrayList<>();
        Stream.generate(() -> new From(address)).limit(count).forEach(channel -> {
            places.onAccepted(channel);
            accepted.add(channel);
        });
        return accepted;
    }

    private static final class From extends EmbeddedChannel {
        private final String address;

        private From(String address) {
            this.address = address;
        }

        @Override
        public SocketAddress remoteAddress() {
            return new InetSocketAddress(address, 4711);
        }
    }
}
