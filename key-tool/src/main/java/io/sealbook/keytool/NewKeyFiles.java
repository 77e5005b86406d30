package io.sealbook.keytool;

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
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The two files of a new key: that of its private half, which stays with its owner, and {@code FILE.pub}. */
final class NewKeyFiles {
    private NewKeyFiles() {}

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
     * @param file of the private key
     * @param protection of that file, for people
     */
    static void finish(Path file, VerificationKey key, String protection, PrintWriter out) throws IOException {
        Files.writeString(publicFile(file), PublicKeyPem.text(key), StandardOpenOption.CREATE_NEW);
        out.println("private key: " + file + ", " + protection);
        out.println("public key: " + publicFile(file));
        KeyText.lines(key).forEach(out::println);
    }
}
