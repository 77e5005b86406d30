package io.sealbook.keytool;

import io.sealbook.commandline.FailureText;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The two files of a new key: that of its private half, which stays with its owner, and {@code FILE.pub}. */
final class NewKeyFiles {
    private NewKeyFiles() {}

    /** What keeps a new key from others. */
    enum Protection {
        MODULE("in the hardware module"),
        PASSPHRASE("encrypted"),
        MODE("not encrypted");

        private final String text;

        Protection(String text) {
            this.text = text;
        }
    }

    /** Returns the file of the public half. */
    static Path publicFile(Path file) {
        return file.resolveSibling(file.getFileName() + ".pub");
    }

    static void requireAbsent(Path file) throws FileAlreadyExistsException {
        for (Path each : new Path[] {file, publicFile(file)}) {
            if (Files.exists(each)) {
                throw new FileAlreadyExistsException(each.toString());
            }
        }
    }

    /**
     * Writes a private key as encrypted PKCS#8.
     *
     * @param file new
     * @param passphrase asked once
     */
    static void writeEncrypted(Path file, SigningKey key, PassphraseSource passphrase) throws IOException {
        char[] chars = passphrase.passphrase(file);
        try {
            KeyFile.writeEncrypted(file, key, chars);
        } finally {
            Arrays.fill(chars, '\0');
        }
    }

    /**
     * Writes the public half, and prints what people compare.
     *
     * @param file of the private key, just made
     * @param protection of that key
     * @throws IOException if the public half cannot be written; neither file is there then, except that which names a
     *     key in a module
     */
    static void finish(Path file, VerificationKey key, Protection protection, PrintWriter out) throws IOException {
        try {
            PublicKeyPem.write(publicFile(file), key);
        } catch (IOException e) {
            if (protection == Protection.MODULE) {
                throw new IOException(
                        "the module has the new key, which " + file + " names, but " + publicFile(file)
                                + " cannot be written: " + FailureText.of(e)
                                + "; 'keys export --format public' writes it",
                        e);
            }
            Files.delete(file);
            throw e;
        }
        out.println("private key: " + file + ", " + protection.text);
        out.println("public key: " + publicFile(file));
        KeyText.lines(key).forEach(out::println);
    }
}
