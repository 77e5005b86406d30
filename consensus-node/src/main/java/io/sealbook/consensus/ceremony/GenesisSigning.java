package io.sealbook.consensus.ceremony;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.GenesisSignature;
import io.sealbook.protocol.v1.GenesisSignatures;
import io.sealbook.protocol.v1.Node;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A member's signature of a whole genesis file. */
public final class GenesisSigning {
    private static final byte[] TAG = "SBGENSG1".getBytes(StandardCharsets.US_ASCII);

    private GenesisSigning() {}

    /**
     * Adds the signature of a member, in the place of an earlier one.
     *
     * @param file that is signed
     * @param signatures so far
     * @param nodeId of the member
     * @param identity signs with the member's identity key
     */
    public static GenesisSignatures sign(GenesisFile file, GenesisSignatures signatures, int nodeId, Signer identity) {
        GenesisSignature own = GenesisSignature.newBuilder()
                .setNodeId(nodeId)
                .setSignature(ByteString.copyFrom(identity.sign(signedBytes(file))))
                .build();
        return withSignatures(signatures, Stream.of(own));
    }

    /**
     * Adds signatures, in the place of earlier ones of the same nodes.
     *
     * @param signatures so far
     * @param others added, for the same digest
     * @throws IllegalArgumentException if the others are for another genesis file
     */
    public static GenesisSignatures merge(GenesisSignatures signatures, GenesisSignatures others) {
        if (!signatures.getGenesisDigest().equals(others.getGenesisDigest())) {
            throw new IllegalArgumentException("signatures for " + others.getGenesisDigest() + ", expected those for "
                    + signatures.getGenesisDigest());
        }
        return withSignatures(signatures, others.getSignaturesList().stream());
    }

    private static GenesisSignatures withSignatures(GenesisSignatures signatures, Stream<GenesisSignature> added) {
        List<GenesisSignature> fresh = added.toList();
        List<GenesisSignature> kept = signatures.getSignaturesList().stream()
                .filter(old -> fresh.stream().noneMatch(each -> each.getNodeId() == old.getNodeId()))
                .toList();
        return signatures.toBuilder()
                .clearSignatures()
                .addAllSignatures(Stream.concat(kept.stream(), fresh.stream())
                        .sorted(Comparator.comparingInt(GenesisSignature::getNodeId))
                        .toList())
                .build();
    }

    /**
     * Returns the node that has an identity key.
     *
     * @param file that may have it
     * @param identity of the member
     * @throws IllegalArgumentException if no node has it
     */
    public static Node nodeOf(GenesisFile file, Signer identity) {
        return file.genesis().getNodesList().stream()
                .filter(node -> node.getIdentity().equals(MemberSignature.message(identity.verificationKey())))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no node of the genesis file has this identity key"));
    }

    static byte[] signedBytes(GenesisFile file) {
        byte[] digest = file.digest().bytes();
        return ByteBuffer.allocate(TAG.length + Long.BYTES + digest.length)
                .put(TAG)
                .putLong(file.genesis().getChainId())
                .put(digest)
                .array();
    }
}
