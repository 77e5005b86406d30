package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.sealbook.facts.Facts;
import io.sealbook.peer.frame.FrameAuthenticator;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.handshake.ConnectionRole;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FrameHandlerTest {
    private static final int PEER = 1;
    private static final int FRAMES_PER_KEY = 1 << 20;

    private final RoleLoop loop = RoleLoop.open(ConnectionRole.VOTE, 0);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Connections connections;
    private final FrameHandler handler;

    FrameHandlerTest() throws Exception {
        PeerConfig config = Members.four().config(0, PeerConfig.Offload.EVENT_LOOP, PeerLimits.DEFAULTS);
        PeerMetrics metrics = new PeerMetrics(new SimpleMeterRegistry(), ConnectionRole.VOTE);
        // Nothing is dialed or accepted, and no frame comes.
        connections = new Connections(ConnectionRole.VOTE, config, null, null, metrics, loop, null);
        FrameCode code = new FrameCode(new byte[32], 0, FRAMES_PER_KEY);
        handler = new FrameHandler(connections, channel, new FrameAuthenticator(PEER, 0, code, 0), 1);
        channel.pipeline().addLast(handler);
    }

    @AfterEach
    void close() {
        channel.close();
        loop.close();
    }

    @Test
    void shouldReadOnWhenTheLastReasonAgainstItEnds() throws Exception {
        handler.pause();
        handler.rest(TimeUnit.MILLISECONDS.toNanos(1));
        awaitRest();
        assertThat(channel.config().isAutoRead()).isFalse();

        handler.resume();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void shouldRestUntilTheLatestEndThatWasAskedFor() throws Exception {
        handler.rest(TimeUnit.MILLISECONDS.toNanos(1));
        handler.rest(TimeUnit.MINUTES.toNanos(10));
        handler.rest(TimeUnit.MILLISECONDS.toNanos(1));
        awaitRest();
        assertThat(channel.config().isAutoRead()).isFalse();
    }

    /** Waits until a rest of one millisecond is over that was asked for before. */
    private void awaitRest() throws Exception {
        CompletableFuture<Boolean> isOver = new CompletableFuture<>();
        // On the loop itself: only there tasks run in the order in which they are due.
        loop.execute(() -> connections.schedule(() -> isOver.complete(true), 2));
        isOver.get(2, TimeUnit.MINUTES);
    }

    @Test
    void shouldReadOnAfterTheLatestEnd() throws Exception {
        handler.rest(TimeUnit.MILLISECONDS.toNanos(1));
        handler.rest(TimeUnit.MILLISECONDS.toNanos(5));

        Facts.await("the rest is over", () -> channel.config().isAutoRead());
    }

    @Test
    void shouldNotTakeForSilentWhoIsNotRead() {
        handler.pause();
        channel.pipeline().fireUserEventTriggered(IdleStateEvent.READER_IDLE_STATE_EVENT);
        assertThat(channel.isOpen()).isTrue();

        handler.resume();
        channel.pipeline().fireUserEventTriggered(IdleStateEvent.READER_IDLE_STATE_EVENT);
        assertThat(channel.isOpen()).isFalse();
    }
}
