package io.sealbook.crypto;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Private keys under a password, as PKCS#12 with a self-signed certificate (AES-256 by PBES2; deriving the key from the
 * password takes about a second).
 *
 * <p>The certificate binds the public key to a name for tools that ask for one; the platform itself trusts the genesis
 * file, not certificates. Bouncy Castle's JCA provider is used as an object and never registered with the JVM.
 */
public final class Pkcs12File {
    private static final String STORE_TYPE = "PKCS12-AES256-AES128";
    private static final String ALIAS = "sealbook";
    private static final Duration CERTIFICATE_LIFE = Duration.ofDays(3650);

    private Pkcs12File() {}

    /**
     * Writes a key to a new file that only its owner may read.
     *
     * @param file must not exist
     * @param key of any scheme
     * @param subject X.500 name of the certificate, such as {@code CN=broker 1}
     * @param password protects the key; stays the caller's to wipe
     * @param now start of the certificate's validity of ten years
     * @throws java.nio.file.FileAlreadyExistsException if the file exists: a key is never overwritten
     */
    public static void write(Path file, SigningKey key, String subject, char[] password, Instant now)
            throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            Provider provider = new org.bouncycastle.jce.provider.BouncyCastleProvider();
            PrivateKey privateKey =
                    new JcaPEMKeyConverter().setProvider(provider).getPrivateKey(KeyFile.privateKeyInfo(key));
            Certificate[] chain = {certificate(provider, key, privateKey, subject, now)};
            KeyStore store = KeyStore.getInstance(STORE_TYPE, provider);
            store.load(null, null);
            store.setKeyEntry(ALIAS, privateKey, password, chain);
            store.store(bytes, password);
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
        }
        OwnerOnlyFile.create(file, bytes.toByteArray());
    }

    /**
     * Reads the only private key of a file.
     *
     * @param file in PKCS#12
     * @param password of the file; stays the caller's to wipe
     * @throws IOException if the file cannot be read, the password is wrong, or there is not exactly one key of a known
     *     scheme
     */
    public static SigningKey read(Path file, char[] password) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Provider provider = new org.bouncycastle.jce.provider.BouncyCastleProvider();
            KeyStore store = KeyStore.getInstance("PKCS12", provider);
            store.load(in, password);
            SigningKey found = null;
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    if (found != null) {
                        throw new IOException("more than one key in " + file);
                    }
                    Key key = store.getKey(alias, password);
                    found = KeyFile.signingKey(PrivateKeyInfo.getInstance(key.getEncoded()));
                }
            }
            if (found == null) {
                throw new IOException("no private key in " + file);
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static X509Certificate certificate(
            Provider provider, SigningKey key, PrivateKey privateKey, String subject, Instant now)
            throws IOException, GeneralSecurityException, OperatorCreationException {
        X500Name name = new X500Name(subject);
        EllipticCurve curve = EllipticCurve.of(key.scheme());
        String algorithm = key.scheme() == SignatureScheme.SM2_SM3 ? "SM3withSM2" : "SHA256withECDSA";
        X509v3CertificateBuilder builder = new X509v3CertificateBuilder(
                name,
                new BigInteger(127, new SecureRandom()).setBit(126),
                Date.from(now),
                Date.from(now.plus(CERTIFICATE_LIFE)),
                name,
                SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(
                        new ECPublicKeyParameters(key.verificationKey().curvePoint(), curve.domain())));
        return new JcaX509CertificateConverter()
                .setProvider(provider)
                .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm)
                        .setProvider(provider)
                        .build(privateKey)));
    }
}
