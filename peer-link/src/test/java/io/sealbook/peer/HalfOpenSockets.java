package io.sealbook.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Sockets that say nothing more than their first bytes, each opened again as soon as it is closed. */
final class HalfOpenSockets implements AutoCloseable {
    private final InetAddress from;
    private final int port;
    private final byte[] firstBytes;
    private final AtomicLong connectCount = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isClosed;

    /**
     * Opens them.
     *
     * @param from the address that they come from, one of 127.0.0.0/8
     * @param port the port of 127.0.0.1 that they go to
     * @param count how many are held
     * @param firstBytes what each says; may be empty
     */
    HalfOpenSockets(String from, int port, int count, byte[] firstBytes) throws IOException {
        this.firstBytes = firstBytes;
        this.from = InetAddress.getByName(from);
        this.port = port;
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofVirtual().start(this::holdOne));
        }
    }

    private void holdOne() {
        while (!isClosed) {
            try (Socket socket = new Socket()) {
                open.add(socket);
                if (isClosed) {
                    // Perhaps too late for the one who closes the sockets.
                    return;
                }
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(from, 0));
                socket.connect(new InetSocketAddress("127.0.0.1", port));
                connectCount.incrementAndGet();
                socket.getOutputStream().write(firstBytes);
                while (!isClosed && socket.getInputStream().read() >= 0) {
                    Thread.onSpinWait();
                }
                open.remove(socket);
            } catch (IOException e) {
                // Closed, or nobody listens while the node restarts: the next one.
                Thread.yield();
            }
        }
    }

    /** Returns how often a socket was connected so far. */
    long connectCount() {
        return connectCount.get();
    }

    @Override
    public void close() throws Exception {
        isClosed = true;
        for (Socket socket : open) {
            socket.close();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
