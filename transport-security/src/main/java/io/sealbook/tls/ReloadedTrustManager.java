package io.sealbook.tls;

import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts the certificates of the authorities that are in its file when a handshake begins; of servers, those whose
 * name is that which the caller connects to. Any thread.
 */
final class ReloadedTrustManager extends X509ExtendedTrustManager {
    private final AdvancedTlsX509TrustManager current;
    private final WatchedFiles files;

    /**
     * Reads the trusted certificates.
     *
     * @throws IOException if they cannot be used
     */
    ReloadedTrustManager(TlsSettings settings) throws IOException {
        try {
            current = AdvancedTlsX509TrustManager.newBuilder()
                    .setVerification(AdvancedTlsX509TrustManager.Verification.CERTIFICATE_AND_HOST_NAME_VERIFICATION)
                    .build();
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: this Java has no trust manager", e);
        }
        files = new WatchedFiles(List.of(settings.trusted()), () -> {
            try {
                current.updateTrustCredentials(TlsFiles.certificates(settings.trusted()));
            } catch (GeneralSecurityException e) {
                throw new IOException("TLS: " + settings.trusted() + " cannot be trusted: " + e, e);
            }
        });
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        files.refresh();
        current.checkClientTrusted(chain, authType, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        files.refresh();
        current.checkServerTrusted(chain, authType, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        files.refresh();
        current.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        files.refresh();
        current.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        files.refresh();
        current.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        files.refresh();
        current.checkServerTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return current.getAcceptedIssuers();
    }
}
