package io.sealbook.keytool;

import io.sealbook.commandline.FailureText;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.NeverVotedMark;
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

/**
 * The files of a new key: that of its private half, which stays with its owner, {@code FILE.pub}, and the
 * {@link NeverVotedMark} of a key that may become a node's identity.
 */
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
        for (Path each : new Path[] {file, publicFile(file), NeverVotedMark.file(file)}) {
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
     * Writes the mark and the public half, and prints what people compare.
     *
     * @param file of the private key, just made
     * @param key its public half
     * @param protection of the private key
     * @param mayBeIdentity whether the key may become that of a node, which has never voted
     * @param out receives the lines
     * @throws IOException if a file cannot be written; none is there then, except those of a key in a module
     */
    static void finish(Path file, VerificationKey key, Protection protection, boolean mayBeIdentity, PrintWriter out)
            throws IOException {
        NeverVotedMark mark = NeverVotedMark.of(file, key);
        try {
            if (mayBeIdentity) {
                mark.write();
            }
            PublicKeyPem.write(publicFile(file), key);
        } catch (IOException e) {
            if (protection == Protection.MODULE) {
                throw unfinished(file, mayBeIdentity && mark.fault().isPresent() ? mark.file() : publicFile(file), e);
            }
            Files.delete(file);
            if (mayBeIdentity) {
                Files.deleteIfExists(mark.file());
            }
            throw e;
        }
        out.println("private key: " + file + ", " + protection.text);
        out.println("public key: " + publicFile(file));
        if (mayBeIdentity) {
            out.println("never voted: " + mark.file() + ", which a node needs beside its key");
        }
        KeyText.lines(key).forEach(out::println);
    }

    private static IOException unfinished(Path file, Path missing, IOException failure) {
        return new IOException(
                "the module has the new key, which " + file + " names, but " + missing + " cannot be written: "
                        + FailureText.of(failure)
                        + (missing.equals(publicFile(file))
                                ? "; 'keys export --format public' writes it"
                                : "; a node needs it beside its key: make another key, under another label"),
                failure);
    }
}
