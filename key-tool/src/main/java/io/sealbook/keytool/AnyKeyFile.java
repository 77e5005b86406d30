package io.sealbook.keytool;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.Pkcs11KeyFile;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.StoredKey;
import io.sealbook.crypto.VerificationKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The content of a file with a private or a public key.
 *
 * @param publicKey of either
 * @param stored empty if the private key is not in the file
 * @param format of the file, for people
 * @param module signs with the key that a file names in a hardware module; empty for any other file
 */
record AnyKeyFile(VerificationKey publicKey, Optional<StoredKey> stored, String format, Optional<Signer> module) {
    private static final long PUBLIC_LENGTH_MAX = 64 * 1024;
    private static final String PUBLIC_PEM = "-----BEGIN PUBLIC KEY-----";

    static AnyKeyFile read(Path file, PassphraseSource passphrase) throws IOException {
        Optional<String> text = publicText(file);
        if (text.isPresent()) {
            return new AnyKeyFile(
                    PublicKeyPem.parse(file.toString(), text.get()),
                    Optional.empty(),
                    "public key, X.509 PEM",
                    Optional.empty());
        }
        byte[] content = KeyFile.content(file);
        if (Pkcs11KeyFile.isOne(content)) {
            Signer signer = KeyFile.readSigner(file, passphrase);
            return new AnyKeyFile(
                    signer.verificationKey(),
                    Optional.empty(),
                    "key in a hardware module (PKCS#11): "
                            + Pkcs11KeyFile.parse(file, content).text(),
                    Optional.of(signer));
        }
        StoredKey stored = KeyFile.open(file, passphrase);
        return new AnyKeyFile(
                stored.key().verificationKey(), Optional.of(stored), ShowKeyCommand.format(stored), Optional.empty());
    }

    /** Returns the text of a file that holds a public key and no private one. */
    private static Optional<String> publicText(Path file) throws IOException {
        if (Files.size(file) > PUBLIC_LENGTH_MAX) {
            return Optional.empty();
        }
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        return text.contains(PUBLIC_PEM) && !text.contains("PRIVATE KEY") ? Optional.of(text) : Optional.empty();
    }
}
