package io.sealbook.consensus.doctor;

import io.sealbook.commandline.FailureText;
import io.sealbook.keytool.Finding;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Certificates of TLS: that they fit together, how long they are valid, which hosts they name; the mode of the key. */
final class CertificateChecks {
    private static final Duration RENEWAL = Duration.ofDays(30);
    private static final String SERVER_USAGE = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_USAGE = "1.3.6.1.5.5.7.3.2";
    private static final String ANY_USAGE = "2.5.29.37.0";

    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    private CertificateChecks(Instant now) {
        this.now = now;
    }

    static List<Finding> run(CheckedNode node) {
        return run(
                node.config().network().tls().in(node.files().root()),
                node.self().getHost(),
                Instant.now());
    }

    /**
     * Checks the files.
     *
     * @param settings with full paths
     * @param host under which the genesis file names the node
     * @param now in whose light validity is judged
     */
    static List<Finding> run(TlsSettings settings, String host, Instant now) {
        if (!settings.isRequired()) {
            return List.of(Finding.ok("tls", "off: only this machine reaches the ports"));
        }
        CertificateChecks checks = new CertificateChecks(now);
        try {
            TlsIdentity identity = TlsIdentity.open(settings);
            checks.accepted(identity);
            checks.own(identity.chain(), host);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            checks.findings.add(Finding.fail("tls", FailureText.of(e), "replace the file; the node does not start"));
        }
        checks.findings.addAll(FileChecks.mode("tls key mode", settings.key()));
        try {
            checks.trusted(settings.trusted());
            checks.lists(settings);
        } catch (IOException | GeneralSecurityException e) {
            checks.findings.add(Finding.fail("certificate", FailureText.of(e), "replace the file"));
        }
        return checks.findings;
    }

    private void accepted(TlsIdentity identity) {
        try {
            identity.checkChain();
            findings.add(Finding.ok("tls", "certificate, key and trusted certificates fit together"));
        } catch (CertificateException e) {
            findings.add(Finding.fail(
                    "tls",
                    "who trusts the same authorities does not accept the certificate: " + FailureText.of(e),
                    "complete its file with those below the authority, have that in tls-trusted, or replace it"));
        }
    }

    private void own(List<X509Certificate> chain, String host) throws CertificateParsingException {
        chain.forEach(certificate -> expiry("certificate", certificate));
        X509Certificate own = chain.get(0);
        CertificateNames names = CertificateNames.of(own);
        findings.add(
                names.have(host)
                        ? Finding.ok("certificate hosts", names.toString())
                        : Finding.fail(
                                "certificate hosts",
                                names + " lacks " + host + ", under which the genesis file names this node",
                                "let the authority issue one with this name"));
        if (!allows(own, SERVER_USAGE) || !allows(own, CLIENT_USAGE)) {
            findings.add(Finding.fail(
                    "certificate usage",
                    "it has not both serverAuth and clientAuth",
                    "let the authority issue one with both"));
        }
    }

    /** A certificate without usages is one for all. */
    private static boolean allows(X509Certificate certificate, String usage) throws CertificateParsingException {
        List<String> usages = certificate.getExtendedKeyUsage();
        return usages == null || usages.contains(usage) || usages.contains(ANY_USAGE);
    }

    private void trusted(Path file) throws IOException, GeneralSecurityException {
        List<X509Certificate> authorities = certificates(file);
        authorities.forEach(authority -> expiry("trusted", authority));
    }

    private void expiry(String check, X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        String fact = certificate.getSubjectX500Principal().getName() + " is valid until " + end;
        if (now.isAfter(end)) {
            findings.add(Finding.fail(check, fact + ", which is past", "replace it; no restart is needed"));
        } else if (now.isBefore(certificate.getNotBefore().toInstant())) {
            findings.add(Finding.fail(
                    check,
                    certificate.getSubjectX500Principal().getName() + " is valid only from "
                            + certificate.getNotBefore().toInstant(),
                    "look at this machine's clock, or wait"));
        } else if (now.plus(RENEWAL).isAfter(end)) {
            findings.add(Finding.warn(check, fact, "renew it; no restart is needed"));
        } else {
            findings.add(Finding.ok(check, fact));
        }
    }

    private void lists(TlsSettings settings) throws IOException, GeneralSecurityException {
        if (!Files.exists(settings.revoked())) {
            return;
        }
        List<X509Certificate> authorities = certificates(settings.trusted());
        try (InputStream in = Files.newInputStream(settings.revoked())) {
            for (var each : CertificateFactory.getInstance("X.509").generateCRLs(in)) {
                findings.add(list((X509CRL) each, authorities));
            }
        }
    }

    private Finding list(X509CRL list, List<X509Certificate> authorities) {
        String fact = "list of " + list.getIssuerX500Principal().getName();
        boolean isUsed = authorities.stream()
                .anyMatch(authority -> authority.getSubjectX500Principal().equals(list.getIssuerX500Principal()));
        if (!isUsed) {
            return Finding.warn(
                    "revoked",
                    fact + " is not used: its authority is not in tls-trusted",
                    "put the authority there if its list matters");
        }
        boolean isOverdue =
                list.getNextUpdate() != null && now.isAfter(list.getNextUpdate().toInstant());
        return isOverdue
                ? Finding.warn(
                        "revoked",
                        fact + " was due on " + list.getNextUpdate().toInstant(),
                        "get the new one from its authority")
                : Finding.ok("revoked", fact);
    }

    private static List<X509Certificate> certificates(Path file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(file)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        }
    }
}
