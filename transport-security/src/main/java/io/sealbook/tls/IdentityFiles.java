package io.sealbook.tls;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.SecretFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

/**
 * Certificate and key of a process in their files: PEM, or PKCS#12 with both. A key is opened once: as long as its file
 * has the same bytes, another certificate takes no passphrase. What a passphrase does not open is not tried with it
 * again: each trial takes a third of a second. A console is asked at the start only. A key file that others may use is
 * opened with a warning. One thread at a time.
 */
final class IdentityFiles {
    /**
     * A key file that was opened.
     *
     * @param content of the file
     * @param key in it
     * @param chain in it; empty if the file has a key only
     */
    private record Opened(byte[] content, PrivateKey key, X509Certificate[] chain) {}

    /**
     * What could not be opened.
     *
     * @param trial digest of the file and the passphrase
     * @param failure that another trial would end with, too
     */
    private record Failed(byte[] trial, IOException failure) {}

    /** Opens a key in PEM. */
    interface PemOpening {
        /** As {@link KeyFile#pkcs8}. */
        PrivateKeyInfo open(Path file, byte[] content, PassphraseSource passphrase) throws IOException;
    }

    /** Java 17 knows the key factories of these by name only; later versions take the identifier, too. */
    private static final Map<ASN1ObjectIdentifier, String> JDK_NAMES =
            Map.of(X9ObjectIdentifiers.id_ecPublicKey, "EC", PKCSObjectIdentifiers.rsaEncryption, "RSA");

    private static final Logger LOG = System.getLogger(IdentityFiles.class.getName());

    private final TlsSettings settings;
    private final PemOpening pemOpening;
    private PassphraseSource passphrase;
    private Optional<Opened> last = Optional.empty();
    private Optional<Failed> failed = Optional.empty();
    /** Digest of the file and the passphrase that are tried; empty if none was asked for. */
    private Optional<byte[]> trial = Optional.empty();

    /** @param settings name the files */
    IdentityFiles(TlsSettings settings) {
        this(settings, KeyFile::pkcs8);
    }

    /** Tests count what is opened. */
    IdentityFiles(TlsSettings settings, PemOpening pemOpening) {
        this.settings = settings;
        this.pemOpening = pemOpening;
        this.passphrase = settings.passphrase().source();
    }

    /** Returns the files whose changes count. */
    List<Path> paths() {
        List<Path> paths = new ArrayList<>(List.of(settings.certificate(), settings.key()));
        settings.passphrase().file().ifPresent(paths::add);
        return paths;
    }

    /**
     * Reads the files.
     *
     * @throws KeyPassphraseException if the key is encrypted, and the passphrase is wrong or there is none
     * @throws IOException if a file cannot be read, the certificate is not valid now, or the key is that of another one
     */
    TlsFiles.Identity read() throws IOException {
        Opened opened = opened();
        X509Certificate[] chain =
                opened.chain().length > 0 ? opened.chain() : TlsFiles.certificates(settings.certificate());
        TlsFiles.Identity identity = new TlsFiles.Identity(chain, opened.key());
        TlsFiles.check(identity, settings);
        return identity;
    }

    private Opened opened() throws IOException {
        Path file = settings.key();
        trial = Optional.empty();
        try {
            byte[] content = KeyFile.content(file);
            if (last.isEmpty() || !Arrays.equals(last.get().content(), content)) {
                last = Optional.of(KeyFile.isPkcs12(content) ? bundle(content) : pem(content));
                passphrase = settings.passphrase().unattended();
                SecretFile.fault(file).ifPresent(fault -> LOG.log(Level.WARNING, "TLS: key {0}", fault));
            }
            return last.get();
        } catch (KeyPassphraseException e) {
            throw failure(e);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw failure(TlsFiles.unusable("no private key can be read from ", file, e));
        }
    }

    /** Returns what an attempt ends with; with a passphrase that was tried before, the failure from then. */
    private IOException failure(IOException present) {
        if (trial.isEmpty()) {
            return present;
        }
        if (!isTriedAgain()) {
            failed = Optional.of(new Failed(trial.get(), present));
        }
        return failed.get().failure();
    }

    private boolean isTriedAgain() {
        return failed.isPresent()
                && trial.isPresent()
                && Arrays.equals(failed.get().trial(), trial.get());
    }

    /** Returns the passphrase, unless it has been tried with this content. */
    private char[] passphrase(byte[] content) throws IOException {
        char[] chars = passphrase.passphrase(settings.key());
        trial = Optional.of(digest(content, chars));
        if (isTriedAgain()) {
            Arrays.fill(chars, '\0');
            throw failed.get().failure();
        }
        return chars;
    }

    private static byte[] digest(byte[] content, char[] passphrase) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(CharBuffer.wrap(passphrase));
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(content);
            digest.update(bytes.duplicate());
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        } finally {
            Arrays.fill(bytes.array(), (byte) 0);
        }
    }

    private Opened pem(byte[] content) throws IOException, GeneralSecurityException {
        PrivateKeyInfo info = pemOpening.open(settings.key(), content, asked -> passphrase(content));
        ASN1ObjectIdentifier algorithm = info.getPrivateKeyAlgorithm().getAlgorithm();
        KeyFactory factory = KeyFactory.getInstance(JDK_NAMES.getOrDefault(algorithm, algorithm.getId()));
        PrivateKey key = factory.generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
        return new Opened(content, key, new X509Certificate[0]);
    }

    private Opened bundle(byte[] content) throws IOException, GeneralSecurityException {
        char[] chars = passphrase(content);
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(content), chars);
            List<String> keys = new ArrayList<>();
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias)) {
                    keys.add(alias);
                }
            }
            if (keys.size() != 1) {
                throw new IOException("it holds " + keys.size() + " keys, expected 1");
            }
            Certificate[] chain = store.getCertificateChain(keys.get(0));
            return new Opened(
                    content,
                    (PrivateKey) store.getKey(keys.get(0), chars),
                    Arrays.copyOf(chain, chain.length, X509Certificate[].class));
        } catch (IOException e) {
            throw e.getCause() instanceof UnrecoverableKeyException ? KeyPassphraseException.wrong(settings.key()) : e;
        } finally {
            Arrays.fill(chars, '\0');
        }
    }
}
