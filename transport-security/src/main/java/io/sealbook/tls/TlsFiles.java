package io.sealbook.tls;

import io.grpc.util.CertificateUtils;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;

/** Reads the PEM files of {@link TlsSettings} and checks that they can be used. */
final class TlsFiles {
    private TlsFiles() {}

    /**
     * A certificate with its key.
     *
     * @param chain the certificate first
     * @param key of the certificate
     */
    record Identity(X509Certificate[] chain, PrivateKey key) {}

    /**
     * Checks a certificate and its key.
     *
     * @param identity read from the files
     * @param settings name them
     * @throws IOException if the certificate is not valid now, or the key is that of another one
     */
    static void check(Identity identity, TlsSettings settings) throws IOException {
        X509Certificate own = identity.chain()[0];
        try {
            own.checkValidity();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "TLS: certificate " + settings.certificate() + " is valid from "
                            + own.getNotBefore().toInstant() + " to "
                            + own.getNotAfter().toInstant() + ", not now",
                    e);
        }
        if (!isPair(identity.key(), own)) {
            throw new IOException(
                    "TLS: " + settings.key() + " is not the key of certificate " + settings.certificate());
        }
    }

    /**
     * Reads certificates, one or more.
     *
     * @throws IOException if the file cannot be read or holds none
     */
    static X509Certificate[] certificates(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate[] certificates = CertificateUtils.getX509Certificates(in);
            if (certificates.length == 0) {
                throw new IOException("it holds no certificate");
            }
            return certificates;
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw unusable("no certificate can be read from ", file, e);
        }
    }

    static IOException unusable(String fact, Path file, Exception cause) {
        return new IOException("TLS: " + fact + file + ": " + cause, cause);
    }

    private static boolean isPair(PrivateKey key, X509Certificate certificate) throws IOException {
        byte[] probe = {'T', 'L', 'S'};
        String algorithm = "SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : key.getAlgorithm());
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(probe);
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(certificate.getPublicKey());
            verifier.update(probe);
            return verifier.verify(signer.sign());
        } catch (java.security.InvalidKeyException | java.security.SignatureException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS: keys of " + key.getAlgorithm() + " are not supported, use P-256", e);
        }
    }
}
