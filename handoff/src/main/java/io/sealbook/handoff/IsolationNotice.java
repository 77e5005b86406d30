package io.sealbook.handoff;

import io.sealbook.lock.WholeFile;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Why a node is isolated, as the node writes it for its engine and its operator into {@code queue/isolation}: lines of
 * {@code key=value}, digests in hex. The file exists as long as the isolation lasts.
 *
 * @param checkpoint block at which the outcomes differ
 * @param ownChain the node's own chain hash there
 * @param ownResult result digest of the node's own engine there
 * @param agreedChain chain hash of f+1 others, or of a certificate
 * @param agreedResult result digest of f+1 others, or of a certificate
 * @param provenTo last certified block before the checkpoint, where the engine was right; 0 if none is known
 */
public record IsolationNotice(
        long checkpoint, Digest ownChain, Digest ownResult, Digest agreedChain, Digest agreedResult, long provenTo) {
    /** Returns whether the node has the blocks of the others, so that its engine is wrong. */
    public boolean isEngineWrong() {
        return ownChain.equals(agreedChain);
    }

    /** Returns whether both are of one isolation. */
    public boolean isOfSameIsolation(IsolationNotice other) {
        return checkpoint == other.checkpoint
                && ownResult.equals(other.ownResult)
                && agreedResult.equals(other.agreedResult);
    }

    /**
     * Reads a notice.
     *
     * @return empty if there is no such file
     * @throws HandOffException if it cannot be read or is no notice
     */
    public static Optional<IsolationNotice> read(Path file) {
        try {
            return Optional.of(of(Files.readString(file)));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            throw new HandOffException("queue/isolation: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the notice in a text, which may have other lines.
     *
     * @throws IllegalArgumentException if a line is missing or malformed
     */
    public static IsolationNotice of(String text) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.split("\n")) {
            String[] parts = line.split("=", 2);
            if (parts.length == 2) {
                values.put(parts[0], parts[1]);
            }
        }
        return new IsolationNotice(
                Long.parseLong(value(values, "checkpoint")),
                digest(values, "own-chain"),
                digest(values, "own-result"),
                digest(values, "agreed-chain"),
                digest(values, "agreed-result"),
                Long.parseLong(value(values, "proven-to")));
    }

    private static Digest digest(Map<String, String> values, String key) {
        return Digest.of(HexFormat.of().parseHex(value(values, key)));
    }

    private static String value(Map<String, String> values, String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no line " + key + "=");
        }
        return value;
    }

    /** Returns the lines of the notice. */
    public String text() {
        return String.format(
                Locale.ROOT,
                """
                checkpoint=%d
                own-chain=%s
                own-result=%s
                agreed-chain=%s
                agreed-result=%s
                proven-to=%d
                """,
                checkpoint,
                ownChain.hex(),
                ownResult.hex(),
                agreedChain.hex(),
                agreedResult.hex(),
                provenTo);
    }

    /**
     * Writes the notice; a reader, also after a crash of the machine, sees the whole of it or the file before it.
     *
     * @throws IOException if the disk is full or broken
     */
    public void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        WholeFile.replace(file, text().getBytes(StandardCharsets.UTF_8));
    }
}
