package io.sealbook.access.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InboundStreamTest {
    private static final long UNREAD_MS = 3_600_000;
    private static final long NOTHING_IS_SCHEDULED = -1;

    private final Http2ConnectionHandler connection = new Http2ConnectionHandlerBuilder()
            .server(true)
            .frameListener(new Http2FrameAdapter())
            .build();
    private final EmbeddedChannel channel = new EmbeddedChannel(connection);

    @AfterEach
    void stop() {
        channel.finishAndReleaseAll();
    }

    /** A client may begin and cancel calls faster than their timers run. */
    @Test
    void shouldKeepNoTimerOfACallThatIsClosed() throws Exception {
        InboundStream stream = new InboundStream(
                connection,
                channel.pipeline().context(connection),
                connection.connection().remote().createStream(1, false));
        stream.onCall(UNREAD_MS);

        stream.end();
        channel.runPendingTasks();
        assertThat(channel.runScheduledPendingTasks()).isPositive();
        stream.onClosed();

        assertThat(channel.runScheduledPendingTasks()).isEqualTo(NOTHING_IS_SCHEDULED);
    }
}
