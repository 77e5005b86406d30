package io.sealbook.perf.siege;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Plain sockets at many ports, each of which sends its bytes and then waits. The oldest is closed and opened anew, so
 * that the flood does not end with the patience of the other side. It has a thread of its own.
 */
final class SocketFlood implements AutoCloseable {
    private final byte[] greeting;
    private final int socketsPerPort;
    private final List<Target> targets;
    private final AtomicLong opened = new AtomicLong();
    private final Thread thread = new Thread(this::run, "socket-flood");
    private volatile boolean isEnded;

    /** A port, and what came of the latest attempts to connect to it. The flood's thread changes it. */
    private static final class Target {
        private final int port;
        /** Empty where the attempt failed. */
        private final Deque<Optional<SocketChannel>> latest = new ArrayDeque<>();

        private final AtomicInteger connected = new AtomicInteger();
        private final AtomicLong attempts = new AtomicLong();

        private Target(int port) {
            this.port = port;
        }
    }

    private SocketFlood(Collection<Integer> ports, int socketsPerPort, byte[] greeting) {
        this.targets = ports.stream().map(Target::new).toList();
        this.socketsPerPort = socketsPerPort;
        this.greeting = greeting.clone();
    }

    /**
     * Begins a flood, and returns when each port has had its number of sockets.
     *
     * @param ports that are flooded
     * @param socketsPerPort open at a time
     * @param greeting what each socket sends; may be empty
     * @throws IOException as {@link #check}; the flood has ended then
     */
    static SocketFlood begin(Collection<Integer> ports, int socketsPerPort, byte[] greeting)
            throws IOException, InterruptedException {
        SocketFlood flood = new SocketFlood(ports, socketsPerPort, greeting);
        flood.thread.setDaemon(true);
        flood.thread.start();
        try {
            Await.fact(
                    socketsPerPort + " attempts at each port of the flood",
                    () -> flood.targets.stream().allMatch(target -> target.attempts.get() >= socketsPerPort));
            flood.check();
            return flood;
        } catch (IOException | InterruptedException | RuntimeException e) {
            flood.close();
            throw e;
        }
    }

    /**
     * Checks that the flood is one: most of the latest attempts at each port have connected, as many as it may have
     * open at a time.
     *
     * @throws IOException if at a port they have not; the message names it
     */
    void check() throws IOException {
        for (Target target : targets) {
            int connected = target.connected.get();
            if (connected <= socketsPerPort / 2) {
                throw new IOException("of the latest " + socketsPerPort + " sockets of the flood, " + connected
                        + " connected to port " + target.port);
            }
        }
    }

    /** Returns the number of sockets that have connected so far. */
    long opened() {
        return opened.get();
    }

    private void run() {
        while (!isEnded) {
            targets.forEach(this::renew);
            try {
                // About 700 new sockets per second and port: without a pause it measures the processor.
                Thread.sleep(1);
            } catch (InterruptedException e) {
                break;
            }
        }
        targets.forEach(target -> target.latest.forEach(socket -> socket.ifPresent(SocketFlood::close)));
    }

    private void renew(Target target) {
        if (target.latest.size() >= socketsPerPort) {
            target.latest.removeFirst().ifPresent(oldest -> {
                target.connected.decrementAndGet();
                close(oldest);
            });
        }
        Optional<SocketChannel> socket = connect(target.port);
        target.latest.addLast(socket);
        if (socket.isPresent()) {
            target.connected.incrementAndGet();
            opened.incrementAndGet();
            greet(socket.get());
        }
        target.attempts.incrementAndGet();
    }

    private static Optional<SocketChannel> connect(int port) {
        try {
            return Optional.of(SocketChannel.open(new InetSocketAddress(Besieged.HOST, port)));
        } catch (IOException e) {
            // The port is full, or no process listens: the latest attempts are counted.
            return Optional.empty();
        }
    }

    private void greet(SocketChannel socket) {
        try {
            if (greeting.length > 0) {
                socket.write(ByteBuffer.wrap(greeting));
            }
        } catch (IOException e) {
            // The port has closed it: the next one may get in.
        }
    }

    private static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It was closed by the other side.
        }
    }

    @Override
    public void close() throws InterruptedException {
        isEnded = true;
        // It may wait for a port whose queue of connections is full.
        thread.interrupt();
        thread.join();
    }
}
