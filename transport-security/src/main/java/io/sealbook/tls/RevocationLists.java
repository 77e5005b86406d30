package io.sealbook.tls;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;

/**
 * The revocation lists of trusted authorities (CRL, RFC 5280 section 5). A certificate that is in one stays refused,
 * also when the list should have been replaced by a newer one. Immutable; any thread.
 */
final class RevocationLists {
    /** No authority has revoked anything. */
    static final RevocationLists NONE = new RevocationLists(List.of());

    private static final Logger LOG = System.getLogger(RevocationLists.class.getName());

    private final List<X509CRL> lists;

    private RevocationLists(List<X509CRL> lists) {
        this.lists = List.copyOf(lists);
    }

    /**
     * Reads the lists of a file, PEM one after another or one in DER. Those of authorities that are not trusted count
     * for nothing.
     *
     * @param file with the lists; no list if it does not exist
     * @param authorities whose lists count
     * @throws IOException if the file holds no list, or one that the authority in its name has not signed
     */
    static RevocationLists read(Path file, X509Certificate[] authorities) throws IOException {
        if (!Files.exists(file)) {
            return NONE;
        }
        List<X509CRL> lists = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            for (var each : CertificateFactory.getInstance("X.509").generateCRLs(in)) {
                lists.add((X509CRL) each);
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new IOException("TLS: no revocation list can be read from " + file + ": " + e, e);
        }
        if (lists.isEmpty()) {
            throw new IOException("TLS: " + file + " holds no revocation list");
        }
        lists.removeIf(list -> !isOfAny(list, authorities));
        for (X509CRL list : lists) {
            checkSignature(list, file, authorities);
        }
        return new RevocationLists(lists);
    }

    private static boolean isOfAny(X509CRL list, X509Certificate[] authorities) {
        boolean isTrusted = Arrays.stream(authorities).anyMatch(authority -> isIssuer(authority, list));
        if (!isTrusted) {
            LOG.log(
                    Level.WARNING,
                    "TLS: revocation list of {0} is not used: its authority is not trusted",
                    list.getIssuerX500Principal());
        }
        return isTrusted;
    }

    private static void checkSignature(X509CRL list, Path file, X509Certificate[] authorities) throws IOException {
        if (Arrays.stream(authorities)
                .noneMatch(authority -> isIssuer(authority, list) && isSignedBy(list, authority))) {
            throw new IOException(
                    "TLS: " + file + ": " + list.getIssuerX500Principal() + " has not signed this revocation list");
        }
        if (list.getNextUpdate() != null && list.getNextUpdate().before(new Date())) {
            LOG.log(
                    Level.WARNING,
                    "TLS: revocation list of {0} was due to be replaced at {1}; it stays in use",
                    list.getIssuerX500Principal(),
                    list.getNextUpdate().toInstant());
        }
    }

    private static boolean isIssuer(X509Certificate authority, X509CRL list) {
        return authority.getSubjectX500Principal().equals(list.getIssuerX500Principal());
    }

    private static boolean isSignedBy(X509CRL list, X509Certificate authority) {
        try {
            list.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns whether both have the same lists in the same order. */
    boolean hasSameAs(RevocationLists other) {
        return lists.equals(other.lists);
    }

    boolean isEmpty() {
        return lists.isEmpty();
    }

    /** Returns the first certificate of a chain that its authority has revoked. */
    Optional<X509Certificate> firstRevoked(X509Certificate[] chain) {
        return Arrays.stream(chain)
                .filter(certificate -> lists.stream().anyMatch(list -> list.isRevoked(certificate)))
                .findFirst();
    }
}
