package io.sealbook.tls;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.sealbook.crypto.KeyPassphraseException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Stream;
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

    private static final System.Logger LOG = System.getLogger(TlsIdentity.class.getName());
    private static final String ALIAS = "tls";

    private final TlsSettings settings;
    private final ReloadedKeyManager keys;
    private final ReloadedTrustManager trust;
    private final ExpiryWarning expiry = new ExpiryWarning();

    private TlsIdentity(TlsSettings settings, ReloadedKeyManager keys, ReloadedTrustManager trust) {
        this.settings = settings;
        this.keys = keys;
        this.trust = trust;
    }

    /**
     * Reads the files.
     *
     * @throws io.sealbook.crypto.KeyPassphraseException if the key is encrypted, and the passphrase is wrong or none
     *     can be had
     * @throws IOException if a file cannot be read, the certificate is not valid now, or the key is that of another
     *     one; the message names the file
     */
    public static TlsIdentity open(TlsSettings settings) throws IOException {
        return new TlsIdentity(settings, new ReloadedKeyManager(settings), new ReloadedTrustManager(settings));
    }

    /** Returns with which exit code a process ends for a failure whose origin is that a key stayed closed. */
    public static OptionalInt exitCode(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof KeyPassphraseException) {
                return OptionalInt.of(KeyPassphraseException.EXIT_CODE);
            }
        }
        return OptionalInt.empty();
    }

    /** Returns what shows this process's certificate. */
    public KeyManager keys() {
        return keys;
    }

    /** Returns the settings that name the files. */
    public TlsSettings settings() {
        return settings;
    }

    /**
     * Looks at the files, and returns the certificate that handshakes show, then those between it and a trusted one.
     */
    public List<X509Certificate> chain() {
        return List.of(keys.identity().chain());
    }

    /**
     * Looks at the files, and checks {@link #chain} as servers and clients would that trust the same authorities and
     * have the same revocation lists.
     *
     * @throws CertificateException if one of them would not accept it
     */
    public void checkChain() throws CertificateException {
        trust.check(keys.identity().chain());
    }

    /** Looks at the files, and returns until when all certificates of {@link #chain} are valid. */
    public Instant ownEnd() {
        return firstEnd(chain());
    }

    /** Looks at the files, and returns until when the certificates of all trusted authorities are valid. */
    public Instant trustedEnd() {
        return firstEnd(trust.authorities());
    }

    private static Instant firstEnd(List<X509Certificate> certificates) {
        return certificates.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** Looks at the files, and returns what handshakes show as a store in memory, whose passwords are empty. */
    public KeyStore keyStore() {
        TlsFiles.Identity current = keys.identity();
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(ALIAS, current.key(), new char[0], current.chain());
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("every Java keeps keys in PKCS#12", e);
        }
    }

    /** Returns what checks the other side's certificate, and the name of a server. */
    public TrustManager trust() {
        return trust;
    }

    /**
     * Looks at the files, and returns a check whether the client of an open connection would still be accepted. A
     * server asks it for each of its connections, and again after a while: certificates expire too. Warns once a day of
     * each certificate, own or trusted, that expires within 30 days.
     */
    public Predicate<SSLSession> clientsNow() {
        trust.refresh();
        Instant now = Instant.now();
        Stream.concat(chain().stream(), trust.authorities().stream())
                .flatMap(each -> expiry.due(each, now).stream())
                .forEach(fact -> LOG.log(Level.WARNING, fact));
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
