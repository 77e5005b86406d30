package io.sealbook.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sealbook.peer.frame.Frame;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.frame.FrameContent;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.frame.FramedBatch;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class OutboxTest {
    private static final int FRAMES_PER_KEY = 1 << 20;
    private static final int QUARTER_OF_THE_BACKLOG = 64 << 20;

    private final RoleLoop loop = RoleLoop.open(ConnectionRole.PAYLOAD, 0);
    private final PeerMetrics metrics = new PeerMetrics(new SimpleMeterRegistry(), ConnectionRole.PAYLOAD);
    private final EmbeddedChannel toOne = new EmbeddedChannel();
    private final EmbeddedChannel toTwo = new EmbeddedChannel();
    private final CountDownLatch isLoopFree = new CountDownLatch(1);
    private final Outbox outbox =
            new Outbox(0, new PeerLink[] {null, link(toOne), link(toTwo)}, loop.eventLoop(), metrics);

    private PeerLink link(EmbeddedChannel channel) {
        PeerLink link = new PeerLink(ConnectionRole.PAYLOAD, PeerLimits.DEFAULTS, metrics);
        link.connect(channel, new FrameCode(new byte[32], 0, FRAMES_PER_KEY));
        return link;
    }

    @AfterEach
    void close() {
        isLoopFree.countDown();
        loop.close();
        toOne.finishAndReleaseAll();
        toTwo.finishAndReleaseAll();
    }

    @Test
    void shouldSendBatchesTogetherToTheirReceiversOnly() throws Exception {
        occupyLoop();
        outbox.submit(1, batch(100));
        outbox.submit(1, batch(101));
        outbox.submit(2, batch(200));
        outbox.submit(Outbox.ALL, batch(300));
        outbox.submit(1, batch(102));
        freeLoop();

        // The first four bytes of each batch in a frame are its length.
        assertThat(payloadLengths(toOne)).containsExactly(100 + 101 + 2 * 4, 300 + 4, 102 + 4);
        assertThat(payloadLengths(toTwo)).containsExactly(200 + 4, 300 + 4);
    }

    @Test
    void shouldDropWhatAStuckLoopHasNoRoomFor() throws Exception {
        occupyLoop();
        FrameContent large = FrameContent.of(FrameType.STATUS, new byte[QUARTER_OF_THE_BACKLOG]);
        // Nobody is connected there: nothing is copied.
        Outbox unconnected = new Outbox(
                0,
                new PeerLink[] {null, new PeerLink(ConnectionRole.PAYLOAD, PeerLimits.DEFAULTS, metrics)},
                loop.eventLoop(),
                metrics);
        for (int i = 0; i < 4; i++) {
            unconnected.submit(1, large);
        }
        assertThat(metrics.droppedOverloaded.count()).isZero();

        unconnected.submit(1, FrameContent.of(FrameType.STATUS, new byte[1]));
        assertThat(metrics.droppedOverloaded.count()).isOne();

        freeLoop();
        unconnected.submit(1, large);
        assertThat(metrics.droppedOverloaded.count()).isOne();
    }

    private void occupyLoop() {
        loop.execute(() -> {
            try {
                isLoopFree.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Returns when the loop has done what was handed to it. */
    private void freeLoop() throws Exception {
        isLoopFree.countDown();
        loop.eventLoop().submit(() -> {}).get(2, TimeUnit.MINUTES);
    }

    private static FramedBatch batch(int length) {
        byte[] bytes = new byte[length];
        return new FramedBatch(Digest.sha256(bytes), bytes);
    }

    private static List<Integer> payloadLengths(EmbeddedChannel channel) {
        List<Integer> lengths = new ArrayList<>();
        for (ByteBuf frame = channel.readOutbound(); frame != null; frame = channel.readOutbound()) {
            lengths.add(Frame.payloadLength(frame));
            frame.release();
        }
        return lengths;
    }
}
