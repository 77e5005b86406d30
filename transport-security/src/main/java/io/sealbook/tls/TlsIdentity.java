package io.sealbook.tls;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;

/**
 * Certificate, key and trusted certificates of a process, as key and trust manager. Files that an operator replaces are
 * in use from the next handshake on; a server ends open connections by {@link #clientsNow}. Holds no thread and no open
 * file. Any thread.
 */
public final class TlsIdentity {
    /** The one version that is offered and accepted. */
    public static final String PROTOCOL = "TLSv1.3";

    private final KeyManager keys;
    private final ReloadedTrustManager trust;

    private TlsIdentity(KeyManager keys, ReloadedTrustManager trust) {
        this.keys = keys;
        this.trust = trust;
    }

    /**
     * Reads the files.
     *
     * @throws IOException if a file cannot be read, the certificate is not valid now, or the key is that of another
     *     one; the message names the file
     */
    public static TlsIdentity open(TlsSettings settings) throws IOException {
        return new TlsIdentity(new ReloadedKeyManager(settings), new ReloadedTrustManager(settings));
    }

    /** Returns what shows this process's certificate. */
    public KeyManager keys() {
        return keys;
    }

    /** Returns what checks the other side's certificate, and the name of a server. */
    public TrustManager trust() {
        return trust;
    }

    /**
     * Looks at the files, and returns a check whether the client of an open connection would still be accepted. A
     * server asks it for each of its connections, and again after a while: certificates expire too.
     */
    public Predicate<SSLSession> clientsNow() {
        trust.refresh();
        return trust::acceptsStill;
    }

    /** Returns a new context for Java's own clients, such as its HTTP client, and for servers that take one. */
    public SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance(PROTOCOL);
            context.init(new KeyManager[] {keys}, new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + PROTOCOL, e);
        }
    }

    /**
     * Returns what a gRPC channel connects with, whatever transport carries it.
     *
     * @param identity empty for a plain connection
     */
    public static ChannelCredentials channelCredentials(Optional<TlsIdentity> identity) {
        return identity.map(present -> TlsChannelCredentials.newBuilder()
                        .keyManager(present.keys)
                        .trustManager(present.trust)
                        .build())
                .orElseGet(InsecureChannelCredentials::create);
    }
}
