package io.sealbook.crypto;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.OptionalLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A token of a hardware module, opened with its PIN, through Java's provider SunPKCS11. It holds keys on secp256k1;
 * PKCS#11 has no mechanism for SM2. Java sees a key beside which the token has a certificate with the same id; the one
 * that {@link #generate} makes is signed by its own key and means nothing else. Any thread.
 */
public final class Pkcs11Token {
    private static final Duration CERTIFICATE_LIFE = Duration.ofDays(3650);
    /** Keys that are made here never leave the module, whatever its defaults are. */
    private static final String ATTRIBUTES =
            "attributes(generate, CKO_PRIVATE_KEY, CKK_EC) = { CKA_SIGN = true CKA_SENSITIVE = true"
                    + " CKA_EXTRACTABLE = false }\n";

    private final Provider provider;
    private final KeyStore store;
    private final String name;

    private Pkcs11Token(Provider provider, KeyStore store, String name) {
        this.provider = provider;
        this.store = store;
        this.name = name;
    }

    /**
     * Opens a token. PKCS#11 logs a process in once: where the token is open already, the PIN is not looked at.
     *
     * @param library path of the module's library
     * @param slot number of the slot; empty for the first one that has a token
     * @param pin of the token's user; stays the caller's to wipe
     * @param file that the PIN is for, to name in failures
     * @throws KeyPassphraseException if the PIN is wrong: a module locks itself after a few wrong ones
     * @throws IOException if there is no such module or token, the PIN is locked, or the module fails
     */
    public static Pkcs11Token open(Path library, OptionalLong slot, char[] pin, Path file) throws IOException {
        Provider base = Security.getProvider("SunPKCS11");
        if (base == null) {
            throw new IOException("this Java has no provider SunPKCS11, which is in its module jdk.crypto.cryptoki");
        }
        if (!Files.isRegularFile(library)) {
            throw new IOException("there is no PKCS#11 library " + library);
        }
        String place = slot.isPresent() ? "slot = " + slot.getAsLong() : "slotListIndex = 0";
        String settings = "--name = sealbook\nlibrary = \"" + library + "\"\n" + place + "\n" + ATTRIBUTES;
        try {
            Provider provider = base.configure(settings);
            KeyStore store = KeyStore.getInstance("PKCS11", provider);
            store.load(null, pin);
            return new Pkcs11Token(provider, store, library + ", " + place);
        } catch (IOException e) {
            throw loadFailure(e, library, place, file);
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new IOException(
                    "PKCS#11 " + library + ", " + place + ": no token can be opened: " + e.getMessage(), e);
        }
    }

    /**
     * Returns what a failure to load means. SunPKCS11 has an {@link UnrecoverableKeyException} as its cause for
     * CKR_PIN_INCORRECT alone; a locked PIN, a module without its token and a failing device are other ones.
     *
     * @param failure of the key store
     * @param library path of the module's library
     * @param place slot in it
     * @param file that the PIN is for
     */
    static IOException loadFailure(IOException failure, Path library, String place, Path file) {
        if (failure.getCause() instanceof UnrecoverableKeyException) {
            return new KeyPassphraseException(
                    "wrong PIN for " + file + " at " + library + "; a module locks itself after a few wrong ones");
        }
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return new IOException("PKCS#11 " + library + ", " + place + ": " + first.getMessage(), failure);
    }

    /**
     * Makes a key on secp256k1 in the token, with a certificate.
     *
     * @param label of both; no entry may have it
     * @throws IOException if the label is taken, or the module makes no such keys
     */
    public Signer generate(String label) throws IOException {
        try {
            if (store.containsAlias(label)) {
                throw new IOException(name + " has a key with label " + label + ", and a key is never overwritten");
            }
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", provider);
            generator.initialize(new ECGenParameterSpec("secp256k1"));
            KeyPair pair = generator.generateKeyPair();
            store.setKeyEntry(label, pair.getPrivate(), null, new Certificate[] {certificate(label, pair)});
            return signer(label);
        } catch (GeneralSecurityException | OperatorCreationException | ProviderException e) {
            throw new IOException(name + ": no key on secp256k1 can be made: " + e.getMessage(), e);
        }
    }

    private Certificate certificate(String label, KeyPair pair)
            throws IOException, OperatorCreationException, GeneralSecurityException {
        X500Name subject = new X500NameBuilder().addRDN(BCStyle.CN, label).build();
        Instant now = Instant.now();
        byte[] encoded = new X509v3CertificateBuilder(
                        subject,
                        new BigInteger(127, new SecureRandom()).setBit(126),
                        Date.from(now),
                        Date.from(now.plus(CERTIFICATE_LIFE)),
                        subject,
                        SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()))
                .build(new JcaContentSignerBuilder("SHA256withECDSA")
                        .setProvider(provider)
                        .build(pair.getPrivate()))
                .getEncoded();
        return CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(encoded));
    }

    /**
     * Returns what signs with a key of the token.
     *
     * @param label of the key's certificate
     * @throws IOException if there is none, or it is on another curve
     */
    public Signer signer(String label) throws IOException {
        try {
            if (!store.isKeyEntry(label)) {
                throw new IOException(name + " has no private key whose certificate has label " + label);
            }
            VerificationKey key = PublicKeyPem.key(SubjectPublicKeyInfo.getInstance(
                    store.getCertificate(label).getPublicKey().getEncoded()));
            if (key.scheme() != SignatureScheme.ECDSA_SECP256K1_SHA256) {
                throw new IOException(name + ", label " + label + ": PKCS#11 signs with secp256k1, not with SM2");
            }
            return new Pkcs11Signer(provider, (PrivateKey) store.getKey(label, null), key, name + ", label " + label);
        } catch (GeneralSecurityException | ProviderException e) {
            throw new IOException(name + ", label " + label + ": " + e.getMessage(), e);
        }
    }
}
