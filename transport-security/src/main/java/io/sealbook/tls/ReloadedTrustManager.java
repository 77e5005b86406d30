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
import java.util.Arrays;
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
    /** Value of a session: the generation of the files under which its client was accepted last. */
    private static final String ACCEPTED_UNDER = "sealbook.trust";

    private final TlsSettings settings;
    private final AdvancedTlsX509TrustManager current;
    private final WatchedFiles files;
    private volatile Trust trust = new Trust(0, null, RevocationLists.NONE);

    /**
     * What one state of the files says.
     *
     * @param generation counts the states
     * @param clients judges chains without a connection
     * @param revoked by the authorities
     */
    private record Trust(int generation, X509TrustManager clients, RevocationLists revoked) {
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
     * Reads the trusted certificates and the revocation lists.
     *
     * @throws IOException if they cannot be used
     */
    ReloadedTrustManager(TlsSettings settings) throws IOException {
        this.settings = settings;
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
        X509Certificate[] authorities = TlsFiles.certificates(settings.trusted());
        RevocationLists lists = RevocationLists.read(settings.revoked(), authorities);
        if (lists == RevocationLists.NONE && trust.revoked != RevocationLists.NONE) {
            throw new IOException("TLS: revocation lists " + settings.revoked() + " are gone");
        }
        try {
            X509TrustManager clients = trustManager(authorities);
            current.updateTrustCredentials(authorities);
            trust = new Trust(trust.generation + 1, clients, lists);
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: " + settings.trusted() + " cannot be trusted: " + e, e);
        }
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

    /**
     * Returns whether the client of an open connection would be accepted now. Its chain is validated once per change of
     * the files; its time is looked at always. A connection whose handshake is not over is accepted.
     */
    boolean acceptsStill(SSLSession session) {
        Trust now = trust;
        try {
            Certificate[] shown = session.getPeerCertificates();
            X509Certificate[] chain = Arrays.copyOf(shown, shown.length, X509Certificate[].class);
            chain[0].checkValidity();
            if (!Integer.valueOf(now.generation).equals(session.getValue(ACCEPTED_UNDER))) {
                now.clients.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
                now.checkNotRevoked(chain);
                session.putValue(ACCEPTED_UNDER, now.generation);
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
