package io.sealbook.consensus.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.peer.PeerConfig;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Whoever reaches the port of a removed node can refuse its key in the name of others. */
class ForgedRefusalTest {
    private final Farewell farewell = new Farewell(new Farewell.LastEpoch(
            4, null, null, "127.0.0.1", PeerConfig.Offload.EVENT_LOOP, null, Set.of(0, 1, 3), 2));

    @Test
    void shouldShortenTheLastWordsAndNotEndThem() throws Exception {
        assertThat(farewell.limitNs()).isEqualTo(Farewell.LIMIT_NS);

        farewell.onIdentityRefused(0);
        farewell.onIdentityRefused(1);

        assertThat(farewell.isOver(new CompletableFuture<>())).isFalse();
        assertThat(farewell.limitNs()).isEqualTo(Farewell.REFUSED_NS);
    }

    @Test
    void shouldCountEachMemberOnceAndThoseAloneThatStay() {
        farewell.onIdentityRefused(0);
        farewell.onIdentityRefused(0);
        farewell.onIdentityRefused(2);

        assertThat(farewell.limitNs()).isEqualTo(Farewell.LIMIT_NS);
    }
}
