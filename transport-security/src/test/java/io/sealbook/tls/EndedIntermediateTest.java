package io.sealbook.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLSession;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An authority between the trusted one and a client ends while the client's connection is open. */
class EndedIntermediateTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final Instant start = Instant.now();
    private final KeyPair rootKeys = keys();
    private final KeyPair middleKeys = keys();
    private final KeyPair clientKeys = keys();
    private final X509Certificate root =
            issue("root", rootKeys, rootKeys, "root", true, start.plus(DAY.multipliedBy(9)));
    private final X509Certificate middle =
            issue("middle", middleKeys, rootKeys, "root", true, start.plus(DAY.multipliedBy(2)));
    private final X509Certificate client =
            issue("client", clientKeys, middleKeys, "middle", false, start.plus(DAY.multipliedBy(4)));

    @TempDir
    Path directory;

    private Instant now = start;
    private X509Certificate[] shown = {client, middle};
    private ReloadedTrustManager trust;

    @BeforeEach
    void trustTheRoot() throws Exception {
        Path trusted = directory.resolve("trusted.pem");
        String encoded = Base64.getMimeEncoder().encodeToString(root.getEncoded());
        Files.writeString(trusted, "-----BEGIN CERTIFICATE-----\n" + encoded + "\n-----END CERTIFICATE-----\n");
        Clock clock = new Clock() {
            @Override
            public Instant instant() {
                return now;
            }

            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
        trust = new ReloadedTrustManager(TlsSettings.ofFilesIn(directory), clock);
    }

    /** Java validates by its own time: what it sees is one that has ended, in place of one that ends later. */
    @Test
    void shouldEndAConnectionWithTheAuthorityBelowTheTrustedOne() {
        SSLSession session = session();
        assertThat(trust.acceptsStill(session)).isTrue();

        now = start.plus(DAY.multipliedBy(3));
        shown = new X509Certificate[] {client, issue("middle", middleKeys, rootKeys, "root", true, start.minus(DAY))};

        assertThat(trust.acceptsStill(session)).isFalse();
    }

    /** A client may show more certificates than its path needs. */
    @Test
    void shouldKeepAConnectionWhosePathAvoidsWhatHasEnded() {
        shown = new X509Certificate[] {client, middle, issue("other", keys(), rootKeys, "root", true, start.plus(DAY))};
        SSLSession session = session();
        assertThat(trust.acceptsStill(session)).isTrue();

        now = start.plus(DAY).plus(Duration.ofHours(1));

        assertThat(trust.acceptsStill(session)).isTrue();
        assertThat(trust.acceptsStill(session)).isTrue();
    }

    @Test
    void shouldEndAConnectionWithItsOwnCertificate() {
        SSLSession session = session();
        assertThat(trust.acceptsStill(session)).isTrue();

        now = start.plus(DAY.multipliedBy(5));

        assertThat(trust.acceptsStill(session)).isFalse();
    }

    private SSLSession session() {
        Map<Object, Object> values = new HashMap<>();
        return (SSLSession) Proxy.newProxyInstance(
                EndedIntermediateTest.class.getClassLoader(),
                new Class<?>[] {SSLSession.class},
                (session, method, arguments) -> switch (method.getName()) {
                    case "getPeerCertificates" -> shown;
                    case "getValue" -> values.get(arguments[0]);
                    case "putValue" -> {
                        values.put(arguments[0], arguments[1]);
                        yield null;
                    }
                    default -> null;
                });
    }

    private static KeyPair keys() {
        try {
            return KeyPairGenerator.getInstance("EC").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private X509Certificate issue(
            String subject, KeyPair keys, KeyPair issuer, String by, boolean isAuthority, Instant end) {
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    new X500Name("CN=" + by),
                    BigInteger.valueOf(end.toEpochMilli()),
                    Date.from(start.minus(DAY.multipliedBy(2))),
                    Date.from(end),
                    new X500Name("CN=" + subject),
                    keys.getPublic());
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(isAuthority));
            return new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuer.getPrivate())));
        } catch (IOException | OperatorCreationException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
