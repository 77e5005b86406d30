package io.sealbook.crypto;

import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * The file beside an identity key which shows that the key has signed no vote. The maker of the key writes it; the node
 * removes it at its first start, before its first vote. A node without records of votes and without the mark of its key
 * may have voted, and forgotten how.
 *
 * <pre>
 *   file    KEYFILE.never-voted, US-ASCII
 *   lines   # ...                     comments
 *           public-fingerprint=HEX    of the public key, see {@link PublicKeyPem}; 64 hexadecimal digits
 * </pre>
 *
 * A mark of another key counts for nothing. One thread.
 */
public final class NeverVotedMark {
    private static final String SUFFIX = ".never-voted";
    private static final String FINGERPRINT = "public-fingerprint=";
    private static final List<String> COMMENT = List.of(
            "# This key has signed no vote. Its node removes this file at its first start.",
            "# Keep it beside the key. Never write it again, and never restore it from a copy.");
    /** No mark is longer; of a longer file the rest is not read. */
    private static final int LENGTH_MAX = 1_024;

    private final Path file;
    private final String fingerprint;

    private NeverVotedMark(Path file, String fingerprint) {
        this.file = file;
        this.fingerprint = fingerprint;
    }

    /**
     * Names the mark of a key; reads and writes nothing.
     *
     * @param keyFile beside which it is; need not exist
     * @param key public half of the identity
     */
    public static NeverVotedMark of(Path keyFile, VerificationKey key) {
        return new NeverVotedMark(file(keyFile), PublicKeyPem.fingerprint(key));
    }

    /** Returns the file of the mark beside a key file; neither need exist. */
    public static Path file(Path keyFile) {
        return keyFile.resolveSibling(keyFile.getFileName() + SUFFIX);
    }

    /** Returns the file of this mark. */
    public Path file() {
        return file;
    }

    /**
     * Writes the mark of a key that was made in this moment; it is on the disk afterwards, as is all that was made in
     * its directory before.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     * @throws IOException if it cannot be written
     */
    public void write() throws IOException {
        String text = String.join("\n", COMMENT) + "\n" + FINGERPRINT + fingerprint + "\n";
        NewFile.write(file, text.getBytes(StandardCharsets.US_ASCII));
        syncDirectory();
    }

    /** Returns why the mark does not show that the key has never voted; empty if it does. */
    public Optional<String> fault() {
        String named;
        try {
            named = read();
        } catch (NoSuchFileException e) {
            return Optional.of("there is no " + file);
        } catch (IOException e) {
            return Optional.of(file + " cannot be read: " + reason(e));
        }
        if (named.equals(fingerprint)) {
            return Optional.empty();
        }
        return Optional.of(
                named.isEmpty()
                        ? file + " names no key"
                        : file + " names the key " + named + ", and this node's is " + fingerprint);
    }

    /** Returns the fingerprint in the file; an empty text if there is none. */
    private String read() throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return new String(bytes.readNBytes(LENGTH_MAX), StandardCharsets.US_ASCII)
                    .lines()
                    .filter(line -> line.startsWith(FINGERPRINT))
                    .map(line -> line.substring(FINGERPRINT.length()).strip())
                    .findFirst()
                    .orElse("");
        }
    }

    /**
     * Removes the mark for good: a power failure does not bring it back afterwards. What was made in the same directory
     * before is durable first. Does nothing if there is no mark, or if it is of another key.
     *
     * @throws OperatingFailureException if it cannot be removed; it may be there then
     */
    public void remove() {
        try {
            if (read().equals(fingerprint)) {
                syncDirectory();
                Files.delete(file);
                syncDirectory();
            }
        } catch (NoSuchFileException e) {
            // It is gone.
        } catch (IOException e) {
            throw new OperatingFailureException(
                    file + " cannot be removed: " + reason(e) + ". It shows that the key has never voted, and must be"
                            + " gone before the first vote; make its directory writable for the node's user",
                    e);
        }
    }

    private void syncDirectory() throws IOException {
        try (FileChannel names = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static String reason(IOException failure) {
        if (failure instanceof FileSystemException named) {
            return named.getReason() == null ? named.getClass().getSimpleName() : named.getReason();
        }
        return failure.getMessage();
    }
}
