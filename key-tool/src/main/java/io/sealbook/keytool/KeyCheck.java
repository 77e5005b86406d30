package io.sealbook.keytool;

import io.sealbook.commandline.FailureText;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.StoredKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks at a key file and names everything that is wrong with it. Changes nothing. One thread. */
public final class KeyCheck {
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final Path file;
    private final List<Finding> findings = new ArrayList<>();
    private Optional<VerificationKey> publicKey = Optional.empty();

    private KeyCheck(Path file) {
        this.file = file;
    }

    /**
     * Checks a file.
     *
     * @param file of a private or public key
     * @param passphrase asked if it is encrypted
     * @throws KeyPassphraseException if it does not open
     */
    public static KeyCheck of(Path file, PassphraseSource passphrase) throws KeyPassphraseException {
        KeyCheck check = new KeyCheck(file);
        check.run(passphrase);
        return check;
    }

    /** Returns what was found, in the order of the checks. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Returns the public half; empty if the file holds no usable key. */
    public Optional<VerificationKey> publicKey() {
        return publicKey;
    }

    private void run(PassphraseSource passphrase) throws KeyPassphraseException {
        try {
            AnyKeyFile read = AnyKeyFile.read(file, passphrase);
            publicKey = Optional.of(read.publicKey());
            if (read.stored().isPresent()) {
                checkStored(read.stored().get());
            } else if (read.module().isPresent()) {
                checkModule(read, read.module().get());
            } else {
                findings.add(Finding.ok("format", "public key, X.509 PEM; its point is on the curve"));
            }
            findings.add(Finding.ok(
                    "key", read.publicKey().scheme() + ", fingerprint " + PublicKeyPem.fingerprint(read.publicKey())));
        } catch (KeyPassphraseException e) {
            throw e;
        } catch (NoSuchFileException e) {
            findings.add(Finding.fail("file", "there is no file " + file, "name the key file"));
        } catch (IOException e) {
            findings.add(Finding.fail("file", FailureText.of(e), "restore the file from its copy, or make a new key"));
        }
    }

    private void checkStored(StoredKey stored) {
        String format = ShowKeyCommand.format(stored);
        if (!stored.format().isEncrypted()) {
            findings.add(Finding.warn("format", format, "'keys export --format pkcs8' writes it encrypted"));
        } else if (!stored.weakness().isEmpty()) {
            findings.add(Finding.warn(
                    "format", format + ", " + stored.weakness(), "'keys export --format pkcs8' writes it so"));
        } else {
            findings.add(Finding.ok("format", format));
        }
        mode(file).ifPresent(findings::add);
        findings.add(Finding.ok("pair", "the point is on the curve and belongs to the private key"));
        checkPublicFile(stored.key().verificationKey());
    }

    /** The signer returns only signatures that are right. */
    private void checkModule(AnyKeyFile read, Signer module) {
        findings.add(Finding.ok("format", read.format()));
        try {
            module.sign(new byte[1]);
            findings.add(Finding.ok("pair", "the module signs, and its signature is right"));
        } catch (OperatingFailureException e) {
            findings.add(Finding.fail("pair", e.getMessage(), "look at the module"));
        }
        checkPublicFile(read.publicKey());
    }

    /**
     * Checks that only its owner may use a file.
     *
     * @param file with a key of any kind
     * @return empty if the file system has no modes
     */
    public static Optional<Finding> mode(Path file) {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return Optional.empty();
        }
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            String text = PosixFilePermissions.toString(mode);
            return Optional.of(
                    OWNER_ONLY.containsAll(mode)
                            ? Finding.ok("mode", text)
                            : Finding.fail("mode", text + ", others may use the file", "chmod 600 " + file));
        } catch (IOException e) {
            return Optional.of(
                    Finding.fail("mode", "it cannot be read: " + FailureText.of(e), "look at the file's directory"));
        }
    }

    private void checkPublicFile(VerificationKey key) {
        Path beside = file.resolveSibling(file.getFileName() + ".pub");
        if (!Files.exists(beside)) {
            return;
        }
        try {
            VerificationKey named =
                    PublicKeyPem.parse(beside.toString(), Files.readString(beside, StandardCharsets.ISO_8859_1));
            findings.add(
                    named.equals(key)
                            ? Finding.ok("public file", beside + " is its public half")
                            : Finding.fail(
                                    "public file",
                                    beside + " is another key, fingerprint " + PublicKeyPem.fingerprint(named),
                                    "'keys export --format public' writes the right one"));
        } catch (IOException e) {
            findings.add(Finding.fail("public file", FailureText.of(e), "'keys export --format public' writes it"));
        }
    }

    /** Looks for the owner of the key in a genesis file. */
    void checkOwner(Genesis genesis) {
        publicKey.ifPresent(key -> {
            List<String> owners = KeyOwners.of(key, genesis);
            findings.add(
                    owners.isEmpty()
                            ? Finding.fail(
                                    "owner",
                                    "the genesis file has no such key",
                                    "a later transaction may have added it: see 'admin show'")
                            : Finding.ok("owner", String.join(", ", owners)));
        });
    }
}
