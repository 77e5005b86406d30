package io.sealbook.consensus.administration;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.sealbook.lock.WholeFile;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The file that members pass around until a quorum has approved: the JSON form of an AdministrativeTransaction.
 *
 * @param path where it is
 * @param transaction its content
 */
public record TransactionFile(Path path, AdministrativeTransaction transaction) {
    /**
     * Writes a new file.
     *
     * @param path must not exist: no approval is lost by mistake
     * @param terms without approvals
     */
    public static TransactionFile create(Path path, AdministrativeTerms terms) throws IOException {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(terms.toByteString())
                .build();
        Files.writeString(path, json(transaction), StandardOpenOption.CREATE_NEW);
        return new TransactionFile(path, transaction);
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it is no transaction
     */
    public static TransactionFile read(Path path) throws IOException {
        AdministrativeTransaction.Builder transaction = AdministrativeTransaction.newBuilder();
        try {
            JsonFormat.parser().merge(Files.readString(path), transaction);
        } catch (InvalidProtocolBufferException | CharacterCodingException e) {
            throw new IllegalArgumentException(path + ": no transaction: " + e.getMessage(), e);
        }
        return new TransactionFile(path, transaction.build());
    }

    /** Replaces the content of the file: a reader, also after a crash, finds the old or the new one. */
    public TransactionFile replace(AdministrativeTransaction changed) throws IOException {
        WholeFile.replace(path, json(changed).getBytes(StandardCharsets.UTF_8));
        return new TransactionFile(path, changed);
    }

    /**
     * Returns what the members approve.
     *
     * @param genesis of the chain
     * @throws IllegalArgumentException if it is of another chain, or no terms
     */
    public AdministrativeTerms terms(Genesis genesis) {
        return ApprovedTerms.terms(transaction, genesis);
    }

    /**
     * Checks that this build follows the protocol version that a transaction leads to: a member that approves it with
     * an older build would stop its own node.
     *
     * @throws IllegalArgumentException if it does not
     */
    public static void requireFollowed(AdministrativeTerms terms) {
        for (Change change : terms.getChangesList()) {
            int version = change.getSetParameters().getProtocolVersion();
            if (version != 0 && !ProtocolVersion.isKnown(version)) {
                throw new IllegalArgumentException("protocolVersion " + Integer.toUnsignedString(version)
                        + ": this build follows " + ProtocolVersion.OLDEST + ".." + ProtocolVersion.NEWEST
                        + "; install a newer one on the member's node first");
            }
        }
    }

    private static String json(AdministrativeTransaction transaction) {
        try {
            return JsonFormat.printer().print(transaction) + "\n";
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("transaction cannot be written as JSON: " + e.getMessage(), e);
        }
    }
}
