package io.sealbook.tls;

import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * Accepts the certificates of the authorities that are in its file when a handshake begins, unless a revocation list
 * has them; of servers, those whose name is that which the caller connects to. It judges open connections by the same
 * files. Any thread.
 */
final class ReloadedTrustManager extends X509ExtendedTrustManager {
    private static final Logger LOG = System.getLogger(ReloadedTrustManager.class.getName());
    /** Value of a session: how its client was accepted last. */
    private static final String ACCEPTED = "sealbook.trust";
    /** How Java's trust managers call the key exchange of TLS 1.3, which certificates take no part in. */
    private static final String SERVER_OF_TLS_13 = "UNKNOWN";

    private final TlsSettings settings;
    private final Clock clock;
    private final AdvancedTlsX509TrustManager current;
    private final WatchedFiles files;
    /** Null until both files have been read. */
    private volatile Trust trust;

    /**
     * The certificates of a file.
     *
     * @param certificates of the authorities
     * @param chains judges chains without a connection
     */
    private record Authorities(X509Certificate[] certificates, X509TrustManager chains) {}

    /**
     * What is in use.
     *
     * @param generation counts the changes
     * @param authorities that are trusted
     * @param revoked by the authorities
     */
    private record Trust(int generation, Authorities authorities, RevocationLists revoked) {
        boolean isOf(Authorities others, RevocationLists lists) {
            return Arrays.equals(authorities.certificates, others.certificates) && revoked.hasSameAs(lists);
        }

        void checkNotRevoked(X509Certificate[] chain) throws CertificateException {
            Optional<X509Certificate> found = revoked.firstRevoked(chain);
            if (found.isPresent()) {
                throw new CertificateException("certificate of " + found.get().getSubjectX500Principal()
                        + " with serial number "
                        + found.get().getSerialNumber().toString(16) + " is revoked");
            }
        }
    }

    /**
     * How the client of an open connection was accepted.
     *
     * @param generation of the files
     * @param end when the first of the shown certificates that were valid then ends
     */
    private record Accepted(int generation, Date end) {
        static Accepted of(Trust trust, X509Certificate[] chain, Date now) {
            Date end = Arrays.stream(chain)
                    .map(X509Certificate::getNotAfter)
                    .filter(each -> !each.before(now))
                    .min(Comparator.naturalOrder())
                    .orElse(now);
            return new Accepted(trust.generation, end);
        }

        boolean holds(Trust trust, Date now) {
            return generation == trust.generation && !now.after(end);
        }
    }

    /**
     * Reads the trusted certificates and the revocation lists.
     *
     * @throws IOException if they cannot be used
     */
    ReloadedTrustManager(TlsSettings settings) throws IOException {
        this(settings, Clock.systemUTC());
    }

    /** Tests have a clock of their own. */
    ReloadedTrustManager(TlsSettings settings, Clock clock) throws IOException {
        this.settings = settings;
        this.clock = clock;
        try {
            current = AdvancedTlsX509TrustManager.newBuilder()
                    .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_AND_HOST_NAME_VERIFICATION)
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: this Java has no trust manager", e);
        }
        files = new WatchedFiles(List.of(settings.trusted(), settings.revoked()), this::load);
    }

    /** Runs once at a time. */
    private void load() throws IOException {
        if (trust == null) {
            Authorities authorities = readAuthorities();
            use(authorities, readLists(authorities));
        } else {
            loadAgain();
        }
    }

    /**
     * Each file counts without the other: lists that cannot be used keep no authority in use that has gone, and
     * authorities that cannot be used keep no list out of use.
     */
    private void loadAgain() throws IOException {
        Authorities authorities = trust.authorities;
        RevocationLists lists = trust.revoked;
        IOException failure = null;
        try {
            authorities = readAuthorities();
        } catch (IOException e) {
            failure = e;
        }
        try {
            lists = readLists(authorities);
        } catch (IOException e) {
            failure = failure == null ? e : new IOException(failure.getMessage() + "; " + e.getMessage(), failure);
        }
        if (!trust.isOf(authorities, lists)) {
            use(authorities, lists);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private Authorities readAuthorities() throws IOException {
        X509Certificate[] certificates = TlsFiles.certificates(settings.trusted());
        try {
            return new Authorities(certificates, trustManager(certificates));
        } catch (GeneralSecurityException e) {
            throw cannotBeTrusted(e);
        }
    }

    private RevocationLists readLists(Authorities authorities) throws IOException {
        RevocationLists lists = RevocationLists.read(settings.revoked(), authorities.certificates);
        if (lists == RevocationLists.NONE && trust != null && trust.revoked != RevocationLists.NONE) {
            throw new IOException("TLS: revocation lists " + settings.revoked() + " are gone");
        }
        return lists;
    }

    private void use(Authorities authorities, RevocationLists lists) throws IOException {
        try {
            current.updateTrustCredentials(authorities.certificates);
        } catch (GeneralSecurityException e) {
            throw cannotBeTrusted(e);
        }
        trust = new Trust(trust == null ? 1 : trust.generation + 1, authorities, lists);
    }

    private IOException cannotBeTrusted(GeneralSecurityException cause) {
        return new IOException("TLS: " + settings.trusted() + " cannot be trusted: " + cause, cause);
    }

    private static X509TrustManager trustManager(X509Certificate[] authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < authorities.length; i++) {
            store.setCertificateEntry(String.valueOf(i), authorities[i]);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    /**
     * Keeps the server from giving its client a ticket: a resumed session would skip the check of certificates for a
     * day. The connection itself is not affected.
     */
    private static void forbidResumption(SSLSession handshake) {
        handshake.invalidate();
    }

    /** Looks whether the files have changed, and loads them then. */
    void refresh() {
        files.refresh();
    }

    /** Looks at the files, and returns the certificates of the authorities. */
    List<X509Certificate> authorities() {
        refresh();
        return List.of(trust.authorities.certificates);
    }

    /**
     * Checks a chain as servers and clients with the same files would, apart from the name of a server.
     *
     * @throws CertificateException if one of them would not accept it
     */
    void check(X509Certificate[] chain) throws CertificateException {
        refresh();
        Trust present = trust;
        present.authorities.chains.checkClientTrusted(
                chain, chain[0].getPublicKey().getAlgorithm());
        present.authorities.chains.checkServerTrusted(chain, SERVER_OF_TLS_13);
        present.checkNotRevoked(chain);
    }

    /**
     * Returns whether the client of an open connection would be accepted now. Its chain is validated once per change of
     * the files, and again when one of its certificates has ended: a path may avoid that one. The time is looked at
     * always. A connection whose handshake is not over is accepted.
     */
    boolean acceptsStill(SSLSession session) {
        Trust present = trust;
        Date now = Date.from(clock.instant());
        try {
            Certificate[] shown = session.getPeerCertificates();
            X509Certificate[] chain = Arrays.copyOf(shown, shown.length, X509Certificate[].class);
            chain[0].checkValidity(now);
            if (!(session.getValue(ACCEPTED) instanceof Accepted last) || !last.holds(present, now)) {
                present.authorities.chains.checkClientTrusted(
                        chain, chain[0].getPublicKey().getAlgorithm());
                present.checkNotRevoked(chain);
                session.putValue(ACCEPTED, Accepted.of(present, chain, now));
            }
            return true;
        } catch (SSLPeerUnverifiedException e) {
            return true;
        } catch (CertificateException | RuntimeException e) {
            LOG.log(Level.WARNING, "TLS: an open connection ends: {0}", e.getMessage());
            return false;
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        files.refresh();
        current.checkClientTrusted(chain, authType, engine);
        trust.checkNotRevoked(chain);
        forbidResumption(engine.getHandshakeSession());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        files.refresh();
        current.checkServerTrusted(chain, authType, engine);
        trust.checkNotRevoked(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        files.refresh();
        current.checkClientTrusted(chain, authType, socket);
        trust.checkNotRevoked(chain);
        forbidResumption(((SSLSocket) socket).getHandshakeSession());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        files.refresh();
        current.checkServerTrusted(chain, authType, socket);
        trust.checkNotRevoked(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        files.refresh();
        current.checkClientTrusted(chain, authType);
        trust.checkNotRevoked(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        files.refresh();
        current.checkServerTrusted(chain, authType);
        trust.checkNotRevoked(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return current.getAcceptedIssuers();
    }
}
