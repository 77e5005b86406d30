package io.sealbook.ports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 that no other process takes until it is closed. It refuses connections unless a server of the
 * test listens there, which may come and go: the socket is bound and never listens, and both may share the address.
 */
public final class HeldPort implements AutoCloseable {
    private final Socket socket = new Socket();

    /**
     * Takes a port that is free on 127.0.0.1.
     *
     * @throws UncheckedIOException if there is none
     */
    public HeldPort() {
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress("127.0.0.1", 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the port, in the ephemeral range. */
    public int number() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
