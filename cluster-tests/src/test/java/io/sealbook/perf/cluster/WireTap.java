package io.sealbook.perf.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes connections on to a port of this machine and keeps every byte of both directions. */
final class WireTap implements AutoCloseable {
    private final int target;
    private final ServerSocket server;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<ByteArrayOutputStream> directions = new CopyOnWriteArrayList<>();

    WireTap(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Returns what each direction of each connection carried so far. */
    List<byte[]> recorded() {
        List<byte[]> bytes = new ArrayList<>();
        for (ByteArrayOutputStream direction : directions) {
            bytes.add(direction.toByteArray());
        }
        return bytes;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                // Closed, or nobody listens there yet: the client comes again.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        sockets.add(client);
        try {
            Socket there = new Socket(InetAddress.getByName("127.0.0.1"), target);
            sockets.add(there);
            pass(client, there);
            pass(there, client);
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    private void pass(Socket from, Socket to) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        directions.add(kept);
        Thread.ofVirtual().start(() -> {
            try (InputStream in = from.getInputStream();
                    OutputStream out = to.getOutputStream()) {
                byte[] buffer = new byte[16_384];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    kept.write(buffer, 0, count);
                    out.write(buffer, 0, count);
                    out.flush();
                }
            } catch (IOException e) {
                // One side has gone, and the other follows.
            }
        });
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
