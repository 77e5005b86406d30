package io.sealbook.client.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** A certificate authority that lives as long as a test. */
public final class TestAuthority {
    private static final Duration VALIDITY = Duration.ofDays(1);

    private final X500Name name;
    private final KeyPair keys;
    private final byte[] certificate;
    private long serial = 1;

    /** A certificate with its private key, as PEM streams to be read once. */
    public record Identity(InputStream certificate, InputStream privateKey) {}

    private TestAuthority(X500Name name, KeyPair keys) {
        this.name = name;
        this.keys = keys;
        this.certificate = sign(name, keys, true, "");
    }

    public static TestAuthority create(String commonName) {
        return new TestAuthority(new X500Name("CN=" + commonName), newKeys());
    }

    /** Returns a new certificate for an IP address or a name. */
    public Identity issue(String subject) {
        KeyPair subjectKeys = newKeys();
        byte[] issued = sign(new X500Name("CN=" + subject), subjectKeys, false, subject);
        return new Identity(pem("CERTIFICATE", issued), privateKey(subjectKeys.getPrivate()));
    }

    public InputStream certificate() {
        return pem("CERTIFICATE", certificate);
    }

    private byte[] sign(X500Name subject, KeyPair subjectKeys, boolean isAuthority, String address) {
        Instant now = Instant.now();
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                name,
                BigInteger.valueOf(serial++),
                Date.from(now.minus(VALIDITY)),
                Date.from(now.plus(VALIDITY)),
                subject,
                SubjectPublicKeyInfo.getInstance(subjectKeys.getPublic().getEncoded()));
        try {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            if (!isAuthority) {
                int kind = Character.isDigit(address.charAt(0)) ? GeneralName.iPAddress : GeneralName.dNSName;
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName(kind, address)));
            }
            return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
                    .getEncoded();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InputStream privateKey(PrivateKey key) {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    private static InputStream pem(String type, byte[] bytes) {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, bytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
