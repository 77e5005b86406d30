package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A port that accepts on one event loop and reads on another. It answers a hello of any byte by the same byte. */
@Timeout(120)
class ConnectionLimitTest {
    private static final String HOST = "127.0.0.1";
    private static final int HELLO = 22;
    private static final int HANDSHAKES_MAX = 2;
    /** More than the time in which a displaced connection is closed. */
    private static final long BEHIND_MS = 60;

    private static final SocketPlaces PLACES = new SocketPlaces(4, HANDSHAKES_MAX);

    private final EventLoopGroup acceptLoop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoopGroup workLoop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Semaphore refused = new Semaphore(0);
    private final Semaphore accepted = new Semaphore(0);
    private final List<Socket> clients = new ArrayList<>();
    /** Until then the loop that reads may be held. */
    private final CountDownLatch isReading = new CountDownLatch(1);

    private Channel port;

    @BeforeEach
    void listen() throws InterruptedException {
        port = new ServerBootstrap()
                .group(acceptLoop, workLoop)
                .channel(NioServerSocketChannel.class)
                .handler(new Limited())
                .childHandler(new Echo())
                .bind(HOST, 0)
                .sync()
                .channel();
    }

    @AfterEach
    void close() throws Exception {
        isReading.countDown();
        for (Socket client : clients) {
            client.close();
        }
        Future<?> closed = acceptLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        workLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        closed.sync();
    }

    @Test
    void shouldAnswerAHelloThatCameInTimeToALoopThatIsBehind() throws Exception {
        workLoop.execute(() -> awaitUninterruptibly(isReading));

        Socket honest = connect();
        honest.getOutputStream().write(HELLO);
        for (int silent = 0; silent < 2 * HANDSHAKES_MAX; silent++) {
            connect();
        }
        accepted.acquire(1 + 2 * HANDSHAKES_MAX);
        // The longer a loop is behind, the more of its tasks are due at once.
        acceptLoop.schedule(isReading::countDown, BEHIND_MS, TimeUnit.MILLISECONDS);

        assertThat(honest.getInputStream().read()).isEqualTo(HELLO);
    }

    @Test
    void shouldCloseTheOldestSilentOnesOfAnAddress() throws Exception {
        List<Socket> silent = new ArrayList<>();
        for (int each = 0; each < HANDSHAKES_MAX + 2; each++) {
            silent.add(connect());
        }

        assertThat(silent.get(0).getInputStream().read()).isEqualTo(-1);
        assertThat(silent.get(1).getInputStream().read()).isEqualTo(-1);
        refused.acquire(2);
        for (Socket younger : silent.subList(2, silent.size())) {
            younger.getOutputStream().write(HELLO);
            assertThat(younger.getInputStream().read()).isEqualTo(HELLO);
        }
    }

    @Test
    void shouldCloseTheOldestOfThoseThatAreAnsweredToo() throws Exception {
        List<Socket> answered = new ArrayList<>();
        for (int each = 0; each <= HANDSHAKES_MAX; each++) {
            Socket client = connect();
            client.getOutputStream().write(HELLO);
            assertThat(client.getInputStream().read()).isEqualTo(HELLO);
            answered.add(client);
        }

        assertThat(answered.getFirst().getInputStream().read()).isEqualTo(-1);
        refused.acquire();
    }

    /** One that waited in the system's queue would be answered after all of the flood before it. */
    @Test
    void shouldRefuseSocketsWhileTooManyAreNotClosedYet() throws Exception {
        workLoop.execute(() -> awaitUninterruptibly(isReading));

        for (int each = 0; each < PLACES.all() + 3; each++) {
            connect();
        }
        accepted.acquire(PLACES.all());
        refused.acquire(3);

        assertThat(accepted.availablePermits()).isZero();
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(HOST, ((InetSocketAddress) port.localAddress()).getPort());
        clients.add(client);
        return client;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Both handlers are there before the port accepts. */
    private final class Limited extends ChannelInitializer<Channel> {
        @Override
        protected void initChannel(Channel listening) {
            listening
                    .pipeline()
                    .addLast(ConnectionLimit.tls(
                            new HolderQuota(PLACES.connectionsMax(), 1), PLACES, (remote, reason) -> refused.release()))
                    .addLast(new Count());
        }
    }

    /** Counts the connections that the limit lets pass. */
    private final class Count extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.fireChannelRead(message);
            accepted.release();
        }
    }

    @Sharable
    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }
    }
}
