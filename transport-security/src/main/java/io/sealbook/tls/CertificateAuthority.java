package io.sealbook.tls;

import io.sealbook.crypto.KeyFile;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * Issues the certificates of a test net: P-256 keys, X.509 v3 (RFC 5280). A real consortium has its own authorities;
 * each member trusts those of the others. One thread.
 */
public final class CertificateAuthority {
    private static final String CURVE = "secp256r1";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final int SERIAL_BITS = 127;
    /** Certificates are valid from a little earlier on: clocks of other machines may be behind. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Clock clock;
    private final Duration validity;
    private final SecureRandom random = new SecureRandom();
    private final KeyPair keys;
    private final X500Name name;
    private final X509Certificate certificate;

    /**
     * Makes an authority with a new key, which stays in memory.
     *
     * @param commonName of the authority
     * @param validity of its certificate and of each that it issues
     * @param clock gives the time from which they are valid
     */
    public CertificateAuthority(String commonName, Duration validity, Clock clock) {
        this.clock = clock;
        this.validity = validity;
        this.keys = newKeys();
        this.name = distinguished(commonName);
        this.certificate = sign(builder(name, keys), List.of(), true, EnumSet.noneOf(CertificateRole.class));
    }

    /**
     * Writes the three files of {@link TlsSettings}: a new certificate, its key, and this authority's certificate as
     * the trusted one.
     *
     * @param files where to; files that exist are replaced. If they name a passphrase, the key is encrypted
     * @param commonName of the certificate
     * @param role what it may be used for
     * @param names host names and addresses under which a server is reached; empty for a client
     * @throws IOException if a file cannot be written
     */
    public void issue(TlsSettings files, String commonName, CertificateRole role, List<String> names)
            throws IOException {
        KeyPair issued = newKeys();
        X509Certificate signed = sign(builder(distinguished(commonName), issued), names, false, EnumSet.of(role));
        Files.createDirectories(files.certificate().toAbsolutePath().getParent());
        Files.deleteIfExists(files.key());
        writeOwnerOnly(files.key(), pem(issued.getPrivate(), files));
        Files.writeString(files.certificate(), pem(signed));
        Files.writeString(files.trusted(), pem(certificate));
    }

    /**
     * Returns a revocation list of this authority, PEM. It replaces earlier ones, and is due to be replaced after as
     * long as a certificate is valid.
     *
     * @param revoked all certificates that are revoked
     */
    public String revocationList(List<X509Certificate> revoked) {
        Date now = Date.from(clock.instant());
        X509v2CRLBuilder builder = new X509v2CRLBuilder(name, now);
        builder.setNextUpdate(Date.from(clock.instant().plus(validity)));
        for (X509Certificate each : revoked) {
            builder.addCRLEntry(each.getSerialNumber(), now, CRLReason.keyCompromise);
        }
        try {
            X509CRLHolder list = builder.build(new JcaContentSignerBuilder(SIGNATURE).build(keys.getPrivate()));
            return pem("X509 CRL", list.getEncoded());
        } catch (IOException | OperatorCreationException e) {
            throw new IllegalStateException("every Java signs " + SIGNATURE, e);
        }
    }

    private JcaX509v3CertificateBuilder builder(X500Name subject, KeyPair pair) {
        Instant from = clock.instant().minus(CLOCK_SKEW);
        return new JcaX509v3CertificateBuilder(
                name,
                new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
                Date.from(from),
                Date.from(clock.instant().plus(validity)),
                subject,
                pair.getPublic());
    }

    private X509Certificate sign(
            X509v3CertificateBuilder builder, List<String> names, boolean isAuthority, Set<CertificateRole> roles) {
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            builder.addExtension(
                    Extension.keyUsage,
                    true,
                    new KeyUsage(isAuthority ? KeyUsage.keyCertSign | KeyUsage.cRLSign : KeyUsage.digitalSignature));
            if (!roles.isEmpty()) {
                builder.addExtension(Extension.extendedKeyUsage, false, usage(roles.contains(CertificateRole.SERVER)));
            }
            if (!names.isEmpty()) {
                builder.addExtension(Extension.subjectAlternativeName, false, alternatives(names));
            }
            return new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(keys.getPrivate())));
        } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException("every Java signs " + SIGNATURE, e);
        }
    }

    private static ExtendedKeyUsage usage(boolean isServer) {
        return isServer
                ? new ExtendedKeyUsage(
                        new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth})
                : new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth);
    }

    private static GeneralNames alternatives(List<String> names) {
        List<GeneralName> alternatives = new ArrayList<>();
        for (String each : names) {
            boolean isAddress = each.matches("[0-9.]+") || each.contains(":");
            alternatives.add(new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, each));
        }
        return new GeneralNames(alternatives.toArray(GeneralName[]::new));
    }

    private static X500Name distinguished(String commonName) {
        return new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    }

    private KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + CURVE, e);
        }
    }

    private static String pem(PrivateKey key, TlsSettings files) throws IOException {
        if (!files.passphrase().isNamed()) {
            return pem("PRIVATE KEY", key.getEncoded());
        }
        char[] passphrase = files.passphrase().source().passphrase(files.key());
        try {
            return KeyFile.encryptedPem(PrivateKeyInfo.getInstance(key.getEncoded()), passphrase);
        } finally {
            Arrays.fill(passphrase, '\0');
        }
    }

    private static String pem(X509Certificate certificate) throws IOException {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was just made has an encoding", e);
        }
    }

    private static String pem(String type, byte[] content) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter pem = new PemWriter(text)) {
            pem.writeObject(new PemObject(type, content));
        }
        return text.toString();
    }

    private static void writeOwnerOnly(Path file, String text) throws IOException {
        boolean hasModes = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = hasModes ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
        Set<StandardOpenOption> newFile = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (SeekableByteChannel channel = Files.newByteChannel(file, newFile, attributes)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }
}
