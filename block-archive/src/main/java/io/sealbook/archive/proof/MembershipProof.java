package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The evidence of who the nodes of a chain are, for someone who has the genesis file alone: all its administrative
 * batches up to a certified block, each with its inclusion proof. Nothing in it is believed before
 * {@link MembershipProofVerifier} has judged it. Its file is drawn in {@code doc/proof-format.md}:
 *
 * <pre>
 *   offset  length   meaning (little-endian)
 *   0       8        magic "SBMEMBR1"
 *   8       4        version, 1
 *   12      32       genesis digest
 *   44      144      header of the last block that is covered
 *   188     4        c, bytes of its certificate
 *   192     c        certificate, see CheckpointCertificate
 *   ...     4        t, administrative batches, 0..TRANSACTION_COUNT_MAX
 *   ...     4        bytes of the first one's inclusion proof
 *   ...     ...      inclusion proof, a whole file of its own; then the others, in the order of the chain
 *   ...     4        CRC32C of everything before
 * </pre>
 *
 * @param genesisDigest SHA-256 of the genesis file
 * @param tip header of the last block that is covered
 * @param certificate of that block
 * @param transactions of the administrative batches up to that block, in the order of the chain, with their content
 */
public record MembershipProof(
        Digest genesisDigest, BlockHeader tip, CheckpointCertificate certificate, List<InclusionProof> transactions) {
    /** Largest number of administrative batches, executed and refused ones. */
    public static final int TRANSACTION_COUNT_MAX = 65_536;

    private static final ProofFormat FORMAT = new ProofFormat("SBMEMBR1", 1, "membership proof");
    /** Of the body, without certificate and transactions. */
    private static final int FIXED_LENGTH = Digest.LENGTH + BlockHeader.LENGTH + 2 * Integer.BYTES;

    private static final int PROOF_LENGTH_MAX = 16 << 20;

    /** @throws IllegalArgumentException if there are too many transactions */
    public MembershipProof {
        Objects.requireNonNull(genesisDigest, "genesisDigest");
        Objects.requireNonNull(tip, "tip");
        Objects.requireNonNull(certificate, "certificate");
        FORMAT.require(transactions.size() <= TRANSACTION_COUNT_MAX, transactions.size() + " transactions");
        transactions = List.copyOf(transactions);
    }

    /** Returns the bytes of the file. */
    public byte[] encode() {
        byte[] certificateBytes = certificate.encode();
        List<byte[]> proofs = transactions.stream().map(InclusionProof::encode).toList();
        int proofBytes =
                proofs.stream().mapToInt(proof -> Integer.BYTES + proof.length).sum();
        ByteBuffer buffer = FORMAT.begin(FIXED_LENGTH + certificateBytes.length + proofBytes);
        genesisDigest.write(buffer);
        buffer.put(tip.encode());
        buffer.putInt(certificateBytes.length).put(certificateBytes);
        buffer.putInt(proofs.size());
        proofs.forEach(proof -> buffer.putInt(proof.length).put(proof));
        return FORMAT.end(buffer);
    }

    /**
     * Reads a proof's file.
     *
     * @throws IllegalArgumentException if the bytes are none, are damaged or have bytes after it; the message names the
     *     fact
     */
    public static MembershipProof decode(byte[] bytes) {
        return FORMAT.decode(bytes, MembershipProof::decodeBody);
    }

    private static MembershipProof decodeBody(ByteBuffer buffer) {
        Digest genesisDigest = Digest.read(buffer);
        BlockHeader tip = BlockHeader.decode(ProofFormat.take(buffer, BlockHeader.LENGTH), 0);
        int certificateLength = FORMAT.takeLength(buffer, CheckpointCertificate.LENGTH_MAX, "certificate length");
        CheckpointCertificate certificate = CheckpointCertificate.decode(ProofFormat.take(buffer, certificateLength));
        List<InclusionProof> transactions = new ArrayList<>();
        for (int count = FORMAT.takeLength(buffer, TRANSACTION_COUNT_MAX, "transactions");
                transactions.size() < count; ) {
            int length = FORMAT.takeLength(buffer, PROOF_LENGTH_MAX, "length of an inclusion proof");
            transactions.add(InclusionProof.decode(ProofFormat.take(buffer, length)));
        }
        return new MembershipProof(genesisDigest, tip, certificate, transactions);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MembershipProof that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }
}
