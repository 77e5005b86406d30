package io.sealbook.crypto;

import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.HexFormat;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.OutputEncryptor;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS12PfxPduBuilder;
import org.bouncycastle.pkcs.PKCS12SafeBag;
import org.bouncycastle.pkcs.PKCS12SafeBagBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcePKCS12MacCalculatorBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEOutputEncryptorBuilder;

/**
 * Private keys under a passphrase, as PKCS#12 with a self-signed certificate. Key and certificate are encrypted by
 * PBES2, as in {@link KeyFile#writeEncrypted}; the authentication code is HMAC-SHA256, after as many iterations.
 *
 * <p>The certificate binds the public key to a name for tools that ask for one; the platform itself trusts the genesis
 * file, not certificates. Bouncy Castle's JCA provider is used as an object and never registered with the JVM.
 */
public final class Pkcs12File {
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
        write(file, key, subject, password, now, KeyEncryption.ITERATION_COUNT);
    }

    /** As above with another number of iterations, as other tools write. */
    static void write(Path file, SigningKey key, String subject, char[] password, Instant now, int iterationCount)
            throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        try {
            NewFile.write(file, bytes(key, new X500Name(subject), password, now, iterationCount));
        } catch (OperatorCreationException | PKCSException e) {
            throw new IOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    private static byte[] bytes(SigningKey key, X500Name subject, char[] password, Instant now, int iterationCount)
            throws IOException, OperatorCreationException, PKCSException {
        Provider provider = new org.bouncycastle.jce.provider.BouncyCastleProvider();
        DEROctetString keyId =
                new DEROctetString(HexFormat.of().parseHex(PublicKeyPem.fingerprint(key.verificationKey())));
        PKCS12SafeBagBuilder certificateBag = new PKCS12SafeBagBuilder(certificate(provider, key, subject, now));
        PKCS12SafeBagBuilder keyBag =
                new PKCS12SafeBagBuilder(KeyFile.privateKeyInfo(key), encryptor(provider, password, iterationCount));
        for (PKCS12SafeBagBuilder bag : new PKCS12SafeBagBuilder[] {certificateBag, keyBag}) {
            bag.addBagAttribute(PKCS12SafeBag.friendlyNameAttribute, new DERBMPString(ALIAS));
            bag.addBagAttribute(PKCS12SafeBag.localKeyIdAttribute, keyId);
        }
        return new PKCS12PfxPduBuilder()
                .addEncryptedData(encryptor(provider, password, iterationCount), certificateBag.build())
                .addData(keyBag.build())
                .build(
                        new JcePKCS12MacCalculatorBuilder(NISTObjectIdentifiers.id_sha256)
                                .setProvider(provider)
                                .setIterationCount(iterationCount),
                        password)
                .getEncoded();
    }

    private static OutputEncryptor encryptor(Provider provider, char[] password, int iterationCount)
            throws OperatorCreationException {
        return new JcePKCSPBEOutputEncryptorBuilder(NISTObjectIdentifiers.id_aes256_CBC)
                .setProvider(provider)
                .setPRF(KeyEncryption.PRF)
                .setIterationCount(iterationCount)
                .build(password);
    }

    /**
     * Reads the only private key of a file.
     *
     * @param file in PKCS#12
     * @param password of the file; stays the caller's to wipe
     * @throws KeyPassphraseException if the password is wrong
     * @throws IOException if the file cannot be read, or there is not exactly one key of a known scheme
     */
    public static SigningKey read(Path file, char[] password) throws IOException {
        return KeyFile.read(file, keyFile -> password.clone());
    }

    static StoredKey parse(Path file, byte[] content, KeyEncryption protection, char[] password) throws IOException {
        KeyStore store = load(file, content, password);
        try {
            StoredKey found = null;
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    if (found != null) {
                        throw new IOException("there is more than one key");
                    }
                    found = stored(store.getKey(alias, password), store.getCertificate(alias), protection);
                }
            }
            if (found == null) {
                throw new IOException("there is no private key");
            }
            return found;
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            throw new IOException("no usable private key in " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns how a file uses its passphrase.
     *
     * @param file to name in failures
     * @param content of it
     * @throws IOException if there is no PKCS#12 in it, or it takes more iterations than anybody would wait for
     */
    static KeyEncryption protection(Path file, byte[] content) throws IOException {
        try {
            return Pkcs12Protection.of(content);
        } catch (IOException | RuntimeException e) {
            throw unusable(file, e);
        }
    }

    private static IOException unusable(Path file, Exception cause) {
        return new IOException("no usable PKCS#12 in " + file + ": " + cause.getMessage(), cause);
    }

    private static KeyStore load(Path file, byte[] content, char[] password) throws IOException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12", new org.bouncycastle.jce.provider.BouncyCastleProvider());
            store.load(new ByteArrayInputStream(content), password);
            return store;
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            if (e.getMessage() != null && e.getMessage().contains("wrong password")) {
                throw KeyPassphraseException.wrong(file);
            }
            throw unusable(file, e);
        }
    }

    private static StoredKey stored(Key privateKey, Certificate certificate, KeyEncryption protection)
            throws IOException {
        SigningKey key = KeyFile.signingKey(PrivateKeyInfo.getInstance(privateKey.getEncoded()));
        if (certificate != null) {
            KeyFile.requireSame(
                    key,
                    PublicKeyPem.key(SubjectPublicKeyInfo.getInstance(
                            certificate.getPublicKey().getEncoded())),
                    "the certificate's key");
        }
        return StoredKey.of(key, KeyFormat.PKCS12, protection);
    }

    private static X509CertificateHolder certificate(Provider provider, SigningKey key, X500Name name, Instant now)
            throws IOException, OperatorCreationException {
        PrivateKey privateKey =
                new JcaPEMKeyConverter().setProvider(provider).getPrivateKey(KeyFile.privateKeyInfo(key));
        EllipticCurve curve = EllipticCurve.of(key.scheme());
        String algorithm = key.scheme() == SignatureScheme.SM2_SM3 ? "SM3withSM2" : "SHA256withECDSA";
        return new X509v3CertificateBuilder(
                        name,
                        new BigInteger(127, new SecureRandom()).setBit(126),
                        Date.from(now),
                        Date.from(now.plus(CERTIFICATE_LIFE)),
                        name,
                        SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(
                                new ECPublicKeyParameters(key.verificationKey().curvePoint(), curve.domain())))
                .build(new JcaContentSignerBuilder(algorithm)
                        .setProvider(provider)
                        .build(privateKey));
    }
}
