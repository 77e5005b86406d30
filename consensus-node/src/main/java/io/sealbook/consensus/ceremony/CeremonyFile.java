package io.sealbook.consensus.ceremony;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.lock.WholeFile;
import io.sealbook.protocol.v1.GenesisSignatures;
import io.sealbook.protocol.v1.SignedContribution;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads and writes the files of a ceremony: the JSON form of a message. */
public final class CeremonyFile {
    private static final long LENGTH_MAX = 64L << 20;

    private CeremonyFile() {}

    /**
     * Reads the contribution of a member.
     *
     * @throws IllegalArgumentException if the file has another content; the message names it
     */
    public static SignedContribution readContribution(Path file) throws IOException {
        return (SignedContribution) read(file, SignedContribution.newBuilder(), "contribution");
    }

    /**
     * Reads the signatures of a genesis file.
     *
     * @throws IllegalArgumentException if the file has another content; the message names it
     */
    public static GenesisSignatures readSignatures(Path file) throws IOException {
        return (GenesisSignatures) read(file, GenesisSignatures.newBuilder(), "list of signatures");
    }

    /**
     * Merges the JSON of a file into a message.
     *
     * @param file in UTF-8
     * @param builder of the message
     * @param what is expected, for a refusal
     * @throws IllegalArgumentException if the file has another content; the message names it
     */
    public static Message read(Path file, Message.Builder builder, String what) throws IOException {
        if (Files.size(file) > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    file + " has " + Files.size(file) + " bytes, a file of a ceremony has at most " + LENGTH_MAX);
        }
        try {
            JsonFormat.parser().merge(Files.readString(file, StandardCharsets.UTF_8), builder);
        } catch (InvalidProtocolBufferException | CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": no " + what + ": " + e.getMessage(), e);
        }
        return builder.build();
    }

    /**
     * Writes a new file.
     *
     * @param file must not exist
     * @param message written as JSON
     */
    public static void create(Path file, Message message) throws IOException {
        Files.writeString(file, JsonFormat.printer().print(message) + "\n", StandardOpenOption.CREATE_NEW);
    }

    /**
     * Replaces a file: a reader, also after a crash, finds the old or the new content.
     *
     * @param file to replace
     * @param message written as JSON
     */
    public static void replace(Path file, Message message) throws IOException {
        WholeFile.replace(file, (JsonFormat.printer().print(message) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
