package io.sealbook.engine.http;

import io.sealbook.access.FairPlaces;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Connections of the HTTP port that are not through their handshake. They have places until others need them: those
 * whose hello has not been read, and as many whose hello has. A new connection always gets one; if none is free, the
 * oldest of the address that has most is displaced. The places are those of the gRPC ports
 * ({@link io.sealbook.access.ConnectionLimit}). Only the thread that accepts uses it: it looks how far they all are
 * whenever there is a new one.
 *
 * @param <T> a connection
 */
final class HttpHandshakes<T> {
    /** The protocol of a TLS session before the server's hello ({@link SSLSession#getProtocol()}). */
    private static final String NO_PROTOCOL = "NONE";

    /** How far a connection is. */
    enum Progress {
        /** No complete hello was read. */
        SILENT,
        /** A hello was read, and the client has not proved to have the key of its certificate. */
        HANDSHAKING,
        /** It has, or the connection is closed. */
        OVER;

        /**
         * Returns how far an open connection is. Its TLS session is that of the handshake from the server's hello on,
         * so that it has a protocol, and even a certificate, before the client has proved anything; the handshake ends
         * when there is no session of a handshake any more. The status of TLS would not do: it waits until the ticket
         * of the session goes out with the first answer. Any thread.
         */
        static Progress of(SocketWrapperBase<NioChannel> connection) {
            SSLEngine tls = connection.getSocket() instanceof SecureNioChannel secure ? secure.getSslEngine() : null;
            if (tls == null) {
                return SILENT;
            }
            // The protocol is set during a handshake, whose end is seen after it.
            boolean isHandshaking = tls.getHandshakeSession() != null;
            if (tls.getSession().getProtocol().equals(NO_PROTOCOL)) {
                return isHandshaking ? HANDSHAKING : SILENT;
            }
            return tls.getHandshakeSession() != null ? HANDSHAKING : OVER;
        }
    }

    private final FairPlaces<T> silentPlaces;
    private final FairPlaces<T> answeredPlaces;
    /** With their addresses; those that have lost their place too, until they are closed or have made progress. */
    private final Map<T, InetAddress> silent = new LinkedHashMap<>();
    /** Likewise. */
    private final Map<T, InetAddress> answered = new LinkedHashMap<>();

    private final Function<T, Progress> progress;
    private final BiConsumer<T, Progress> onDisplaced;

    /**
     * @param placesMax connections whose hello has not been read, and as many whose hello has, at least 1
     * @param progress returns how far a connection is now
     * @param onDisplaced is given a connection that has lost its place, and how far it was: it is to be closed once
     *     what it has sent was read, if it is as far then. Must not wait
     */
    HttpHandshakes(int placesMax, Function<T, Progress> progress, BiConsumer<T, Progress> onDisplaced) {
        silentPlaces = new FairPlaces<>(placesMax);
        answeredPlaces = new FairPlaces<>(placesMax);
        this.progress = progress;
        this.onDisplaced = onDisplaced;
    }

    /** Gives a new connection a place. */
    void begin(T connection, InetAddress address) {
        answered.keySet().removeIf(one -> hasLeft(one, Progress.HANDSHAKING, answeredPlaces));
        silent.entrySet().removeIf(one -> {
            if (!hasLeft(one.getKey(), Progress.SILENT, silentPlaces)) {
                return false;
            }
            if (progress.apply(one.getKey()) == Progress.HANDSHAKING) {
                take(one.getKey(), one.getValue(), Progress.HANDSHAKING);
            }
            return true;
        });
        take(connection, address, Progress.SILENT);
    }

    private boolean hasLeft(T connection, Progress before, FairPlaces<T> places) {
        if (progress.apply(connection) == before) {
            return false;
        }
        places.release(connection);
        return true;
    }

    private void take(T connection, InetAddress address, Progress now) {
        boolean isSilent = now == Progress.SILENT;
        (isSilent ? silent : answered).put(connection, address);
        T displaced = (isSilent ? silentPlaces : answeredPlaces).take(connection, address);
        if (displaced != null) {
            onDisplaced.accept(displaced, now);
        }
    }
}
