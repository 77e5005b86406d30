package io.sealbook.consensus.administration;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.PublicKey;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The public half of a key, which its owner gives to the members: PEM as {@code keys new} writes it beside the private
 * key, or one line {@code SCHEME HEX} of the 64-byte point, as earlier builds did.
 */
public final class PublicKeyFile {
    private static final String FORM =
            "a public key file has '-----BEGIN PUBLIC KEY-----', as 'keys new' writes it, or the line 'SCHEME POINT'";

    private PublicKeyFile() {}

    /**
     * Reads a key from its public file, or from the private key file of its owner if that is not encrypted.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it holds no key
     */
    public static PublicKey read(Path file) throws IOException {
        String text = text(file).strip();
        return message(text.contains("-----BEGIN") ? ofPem(file, text) : ofLine(file, text));
    }

    private static String text(Path file) throws IOException {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": it is no text in UTF-8; " + FORM, e);
        }
    }

    private static PublicKey message(VerificationKey key) {
        return PublicKey.newBuilder()
                .setSchemeValue(key.scheme().code())
                .setPoint(ByteString.copyFrom(key.point()))
                .build();
    }

    private static VerificationKey ofPem(Path file, String text) throws IOException {
        return text.contains("PRIVATE KEY-----")
                ? KeyFile.readSigner(file).verificationKey()
                : PublicKeyPem.parse(file.toString(), text);
    }

    private static VerificationKey ofLine(Path file, String text) {
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
