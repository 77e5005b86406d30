package io.sealbook.client.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Passes connections on to a port of 127.0.0.1. It may lose all that it has, as a network does that forgets them: they
 * stay open, and what is sent on them arrives nowhere. Any thread.
 */
public final class LossyProxy implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    /** Sockets of connections that are lost. */
    private final Set<Socket> lost = ConcurrentHashMap.newKeySet();

    private final int target;

    /** @param target port that connections are passed on to */
    public LossyProxy(int target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Loses the connections of this moment; later ones are passed on. */
    public void lose() {
        lost.addAll(sockets);
    }

    private void accept() throws IOException {
        while (true) {
            Socket from = listening.accept();
            Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(from);
            sockets.add(to);
            start(() -> pass(from, to));
            start(() -> pass(to, from));
        }
    }

    private void pass(Socket from, Socket to) throws IOException {
        byte[] bytes = new byte[8_192];
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int length = in.read(bytes); length >= 0; length = in.read(bytes)) {
            if (!lost.contains(from)) {
                out.write(bytes, 0, length);
            }
        }
        if (!lost.contains(from)) {
            to.close();
        }
    }

    private static void start(Task task) {
        Thread thread = new Thread(task::runToItsEnd, "lossy-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Task {
        void run() throws IOException;

        /** A socket that is closed ends it. */
        default void runToItsEnd() {
            try {
                run();
            } catch (IOException e) {
                // One side of the connection, or the proxy, is closed.
            }
        }
    }
}
