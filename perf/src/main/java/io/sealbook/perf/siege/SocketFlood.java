package io.sealbook.perf.siege;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Plain sockets at many ports, each of which sends its bytes and then waits. The oldest is closed and opened anew, so
 * that the flood does not end with the patience of the other side. It has a thread of its own.
 */
final class SocketFlood implements AutoCloseable {
    private final byte[] greeting;
    private final int socketsPerPort;
    private final Map<Integer, Deque<SocketChannel>> open = new HashMap<>();
    private final List<Integer> ports;
    private final AtomicLong opened = new AtomicLong();
    private final Thread thread = new Thread(this::run, "socket-flood");
    private volatile boolean isEnded;

    private SocketFlood(Collection<Integer> ports, int socketsPerPort, byte[] greeting) {
        this.ports = List.copyOf(ports);
        this.socketsPerPort = socketsPerPort;
        this.greeting = greeting.clone();
        this.ports.forEach(port -> open.put(port, new ArrayDeque<>()));
    }

    /**
     * Begins a flood, and returns when each port has had its number of sockets.
     *
     * @param ports that are flooded
     * @param socketsPerPort open at a time
     * @param greeting what each socket sends; may be empty
     */
    static SocketFlood begin(Collection<Integer> ports, int socketsPerPort, byte[] greeting)
            throws IOException, InterruptedException {
        SocketFlood flood = new SocketFlood(ports, socketsPerPort, greeting);
        flood.thread.setDaemon(true);
        flood.thread.start();
        long all = (long) flood.ports.size() * socketsPerPort;
        Await.fact(all + " sockets of the flood", () -> flood.opened.get() >= all);
        return flood;
    }

    /** Returns the number of sockets that were opened so far. */
    long opened() {
        return opened.get();
    }

    private void run() {
        while (!isEnded) {
            for (int port : ports) {
                renew(port, open.get(port));
            }
            try {
                // About 700 new sockets per second and port: without a pause it measures the processor.
                Thread.sleep(1);
            } catch (InterruptedException e) {
                break;
            }
        }
        open.values().forEach(sockets -> new ArrayList<>(sockets).forEach(SocketFlood::close));
    }

    private void renew(int port, Deque<SocketChannel> sockets) {
        if (sockets.size() >= socketsPerPort) {
            close(sockets.removeFirst());
        }
        try {
            SocketChannel socket = SocketChannel.open(new InetSocketAddress(Besieged.HOST, port));
            sockets.addLast(socket);
            if (greeting.length > 0) {
                socket.write(ByteBuffer.wrap(greeting));
            }
        } catch (IOException e) {
            // The port has closed it, or is full: the next one may get in.
        }
        opened.incrementAndGet();
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
        thread.join();
    }
}
