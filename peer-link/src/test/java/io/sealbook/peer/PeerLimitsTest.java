package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.protocol.GenesisFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerLimitsTest {
    /**
     * Places of members and of strangers, for silent connections and for those that claim a peer, and one session each.
     */
    @ParameterizedTest
    @CsvSource({"72, 4", "72, 13", "360, 4", "744, 13"})
    void shouldKeepUnprovenConnectionsAndSessionsWithinTheSocketsOfThePort(int sockets, int nodes) {
        PeerLimits limits = PeerLimits.DEFAULTS.within(sockets, nodes);

        assertThat(2 * limits.handshakesMax() + 2 * nodes * limits.handshakesPerPeerMax() + nodes)
                .isLessThanOrEqualTo(sockets);
        assertThat(limits.handshakesMax()).isBetween(1, PeerLimits.DEFAULTS.handshakesMax());
        assertThat(limits.handshakesPerPeerMax()).isBetween(1, PeerLimits.DEFAULTS.handshakesPerPeerMax());
        assertThat(limits.payloadLengthMax()).isEqualTo(PeerLimits.DEFAULTS.payloadLengthMax());
    }

    @Test
    void shouldPassTheLongestVoteThatAGenesisFileAdmits() {
        assertThat(PeerLimits.DEFAULTS.voteLengthMax()).isEqualTo(GenesisFile.NEW_VIEW_LENGTH_MAX);
        assertThat(PeerMessageCodec.IN_PLACE_LENGTH_MAX + 2).isEqualTo(PeerLimits.DEFAULTS.voteLengthMax());
        assertThat(PeerLimits.DEFAULTS.voteQueueBytesMax()).isGreaterThan(GenesisFile.NEW_VIEW_LENGTH_MAX);
    }

    @ParameterizedTest
    @CsvSource({"6000, 4", "6000, 13"})
    void shouldLeaveTheLimitsWhereMuchMayBeOpened(int sockets, int nodes) {
        assertThat(PeerLimits.DEFAULTS.within(sockets, nodes)).isEqualTo(PeerLimits.DEFAULTS);
    }
}
