package io.sealbook.consensus.administration;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.PublicKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;

/**
 * The public half of a key, which its owner gives to the members: one line, {@code SCHEME HEX} of the 64-byte point.
 */
public final class PublicKeyFile {
    private static final String FORM = "a public key file has the line 'SCHEME POINT', as 'admin new-key' writes it";

    private PublicKeyFile() {}

    /**
     * Writes a key.
     *
     * @param file must not exist
     * @param key its scheme and point are written
     */
    public static void write(Path file, VerificationKey key) throws IOException {
        String line = key.scheme() + " " + HexFormat.of().formatHex(key.point()) + "\n";
        Files.writeString(file, line, StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW);
    }

    /**
     * Reads a key from its public file, or from the private key file of its owner.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it holds no key
     */
    public static PublicKey read(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8).strip();
        VerificationKey key =
                text.contains("-----BEGIN") ? KeyFile.readSigner(file).verificationKey() : parse(file, text);
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.point()))
                .build();
    }

    private static VerificationKey parse(Path file, String text) {
        String[] parts = text.split("\\s+");
        try {
            if (parts.length == 2) {
                return VerificationKey.of(
                        SignatureScheme.valueOf(parts[0]), HexFormat.of().parseHex(parts[1]));
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage() + "; " + FORM, e);
        }
        throw new IllegalArgumentException(file + ": " + FORM);
    }
}
