package io.sealbook.consensus.results;

import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.KeyModes;
import io.sealbook.handoff.BlockResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that a node shares with its engine on another machine: 32 bytes in hexadecimal, in engine.key. Any thread.
 */
public final class EngineKey {
    /** Bytes of a challenge. */
    static final int CHALLENGE_LENGTH = 32;

    private static final int LENGTH = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] TAG = "SBRESLT1".getBytes(StandardCharsets.US_ASCII);

    private final SecretKeySpec key;

    private EngineKey(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * Reads a key. Warns if others may use its file.
     *
     * @throws ConfigException if the file is no key; the message does not have its content
     * @throws IOException if it cannot be read
     */
    public static EngineKey read(Path file) throws IOException {
        String text = Files.readString(file).strip();
        if (!text.matches("[0-9a-fA-F]{" + 2 * LENGTH + "}")) {
            throw new ConfigException(file + " is no key of an engine, which is " + LENGTH + " bytes in hexadecimal");
        }
        KeyModes.check(file);
        return new EngineKey(HexFormat.of().parseHex(text));
    }

    /**
     * Returns the authentication code of a result, 32 bytes.
     *
     * @param challenge of the stream
     * @param result its sequence, digest and execution time are covered
     */
    byte[] code(byte[] challenge, BlockResult result) {
        ByteBuffer covered = ByteBuffer.allocate(TAG.length
                        + CHALLENGE_LENGTH
                        + 2 * Long.BYTES
                        + result.digest().bytes().length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(TAG)
                .put(challenge)
                .putLong(result.sequence())
                .putLong(result.executedTimeNs())
                .put(result.digest().bytes());
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(covered.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
