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
 * The evidence that a batch was ordered: from its id to a hash that a quorum of nodes signed. Nothing in it is believed
 * before {@link ProofVerifier} has judged it. Its file is drawn in {@code doc/proof-format.md}:
 *
 * <pre>
 *   offset  length   meaning (little-endian)
 *   0       8        magic "SBPROOF1"
 *   8       4        version, 3
 *   12      32       genesis digest
 *   44      4        index of the batch in its block
 *   48      32       batch id
 *   80      144      header of the block
 *   224     4        p, hashes of the Merkle path, 0..32
 *   228     32 x p   Merkle path, lowest first
 *   ...     4        h, headers that follow, 0..HEADER_COUNT_MAX
 *   ...     144 x h  headers of the blocks up to the certified one
 *   ...     4        c, bytes of the certificate
 *   ...     c        certificate, see CheckpointCertificate
 *   ...     4        b, bytes of the signed batch, 0 if it is not carried
 *   ...     b        signed batch
 *   ...     4        CRC32C of everything before
 * </pre>
 *
 * @param genesisDigest SHA-256 of the genesis file
 * @param batchIndex place of the batch in its block, from 0
 * @param batchId of the batch that is proven
 * @param merklePath siblings from the batch id to the header's Merkle root
 * @param laterHeaders of the blocks after it up to and with the certified one; empty if it is the certified one
 * @param signedBatch the batch and its signature, or no bytes
 */
public record InclusionProof(
        Digest genesisDigest,
        int batchIndex,
        Digest batchId,
        BlockHeader header,
        List<Digest> merklePath,
        List<BlockHeader> laterHeaders,
        CheckpointCertificate certificate,
        byte[] signedBatch) {
    /** Largest number of headers after the block's own: 2.4 MB. */
    public static final int HEADER_COUNT_MAX = 16_384;

    private static final ProofFormat FORMAT = new ProofFormat("SBPROOF1", 3, "inclusion proof");
    /** Of the body, without its lists. */
    private static final int FIXED_LENGTH = 228;

    private static final int PATH_LENGTH_MAX = 32;
    private static final int BATCH_LENGTH_MAX = 1 << 20;

    /** @throws IllegalArgumentException if a length is beyond its limit */
    public InclusionProof {
        FORMAT.require(merklePath.size() <= PATH_LENGTH_MAX, "Merkle path of " + merklePath.size() + " hashes");
        FORMAT.require(laterHeaders.size() <= HEADER_COUNT_MAX, laterHeaders.size() + " headers");
        FORMAT.require(signedBatch.length <= BATCH_LENGTH_MAX, "signed batch of " + signedBatch.length + " bytes");
        Objects.requireNonNull(genesisDigest, "genesisDigest");
        Objects.requireNonNull(batchId, "batchId");
        merklePath = List.copyOf(merklePath);
        laterHeaders = List.copyOf(laterHeaders);
    }

    /** Returns the bytes of the file. */
    public byte[] encode() {
        byte[] certificateBytes = certificate.encode();
        int bodyLength = FIXED_LENGTH
                + merklePath.size() * Digest.LENGTH
                + laterHeaders.size() * BlockHeader.LENGTH
                + certificateBytes.length
                + signedBatch.length;
        ByteBuffer buffer = FORMAT.begin(bodyLength);
        genesisDigest.write(buffer);
        buffer.putInt(batchIndex);
        batchId.write(buffer);
        buffer.put(header.encode()).putInt(merklePath.size());
        merklePath.forEach(hash -> hash.write(buffer));
        buffer.putInt(laterHeaders.size());
        laterHeaders.forEach(later -> buffer.put(later.encode()));
        buffer.putInt(certificateBytes.length).put(certificateBytes);
        buffer.putInt(signedBatch.length).put(signedBatch);
        return FORMAT.end(buffer);
    }

    /**
     * Reads a proof's file.
     *
     * @throws IllegalArgumentException if the bytes are none, are damaged or have bytes after it; the message names the
     *     fact
     */
    public static InclusionProof decode(byte[] bytes) {
        return FORMAT.decode(bytes, InclusionProof::decodeBody);
    }

    private static InclusionProof decodeBody(ByteBuffer buffer) {
        Digest genesisDigest = Digest.read(buffer);
        int batchIndex = buffer.getInt();
        Digest batchId = Digest.read(buffer);
        BlockHeader header = takeHeader(buffer);
        List<Digest> path = new ArrayList<>();
        for (int count = FORMAT.takeLength(buffer, PATH_LENGTH_MAX, "path length"); path.size() < count; ) {
            path.add(Digest.read(buffer));
        }
        List<BlockHeader> later = new ArrayList<>();
        for (int count = FORMAT.takeLength(buffer, HEADER_COUNT_MAX, "header count"); later.size() < count; ) {
            later.add(takeHeader(buffer));
        }
        int certificateLength = FORMAT.takeLength(buffer, CheckpointCertificate.LENGTH_MAX, "certificate length");
        CheckpointCertificate certificate = CheckpointCertificate.decode(ProofFormat.take(buffer, certificateLength));
        byte[] batch = ProofFormat.take(buffer, FORMAT.takeLength(buffer, BATCH_LENGTH_MAX, "signed batch length"));
        return new InclusionProof(genesisDigest, batchIndex, batchId, header, path, later, certificate, batch);
    }

    private static BlockHeader takeHeader(ByteBuffer buffer) {
        return BlockHeader.decode(ProofFormat.take(buffer, BlockHeader.LENGTH), 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof InclusionProof that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }
}
