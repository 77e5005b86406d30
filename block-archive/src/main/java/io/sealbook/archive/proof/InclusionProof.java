package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.vocabulary.Digest;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The evidence that a batch was ordered: from its id to a hash that a quorum of nodes signed. Nothing in it is believed
 * before {@link ProofVerifier} has judged it. Its file is drawn in {@code doc/proof-format.md}:
 *
 * <pre>
 *   offset  length   meaning (little-endian)
 *   0       8        magic "SBPROOF1"
 *   8       4        version, 1
 *   12      32       genesis digest
 *   44      4        index of the batch in its block
 *   48      32       batch id
 *   80      136      header of the block
 *   216     4        p, hashes of the Merkle path, 0..32
 *   220     32 x p   Merkle path, lowest first
 *   ...     4        h, headers that follow, 0..HEADER_COUNT_MAX
 *   ...     136 x h  headers of the blocks up to the certified one
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
    /** Largest number of headers after the block's own: 2.2 MB. */
    public static final int HEADER_COUNT_MAX = 16_384;

    private static final byte[] MAGIC = "SBPROOF1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int PATH_LENGTH_MAX = 32;
    private static final int BATCH_LENGTH_MAX = 1 << 20;

    /** @throws IllegalArgumentException if a length is beyond its limit */
    public InclusionProof {
        require(merklePath.size() <= PATH_LENGTH_MAX, "Merkle path of " + merklePath.size() + " hashes");
        require(laterHeaders.size() <= HEADER_COUNT_MAX, laterHeaders.size() + " headers");
        require(signedBatch.length <= BATCH_LENGTH_MAX, "signed batch of " + signedBatch.length + " bytes");
        Objects.requireNonNull(genesisDigest, "genesisDigest");
        Objects.requireNonNull(batchId, "batchId");
        merklePath = List.copyOf(merklePath);
        laterHeaders = List.copyOf(laterHeaders);
    }

    /** Returns the bytes of the file. */
    public byte[] encode() {
        byte[] certificateBytes = certificate.encode();
        int length = 220
                + merklePath.size() * Digest.LENGTH
                + laterHeaders.size() * BlockHeader.LENGTH
                + certificateBytes.length
                + signedBatch.length
                + 4 * Integer.BYTES;
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(MAGIC).putInt(VERSION);
        genesisDigest.write(buffer);
        buffer.putInt(batchIndex);
        batchId.write(buffer);
        buffer.put(header.encode()).putInt(merklePath.size());
        merklePath.forEach(hash -> hash.write(buffer));
        buffer.putInt(laterHeaders.size());
        laterHeaders.forEach(later -> buffer.put(later.encode()));
        buffer.putInt(certificateBytes.length).put(certificateBytes);
        buffer.putInt(signedBatch.length).put(signedBatch);
        buffer.putInt(crc(buffer.array(), buffer.position()));
        return buffer.array();
    }

    /**
     * Reads a proof's file.
     *
     * @throws IllegalArgumentException if the bytes are none, are damaged or have bytes after it; the message names the
     *     fact
     */
    public static InclusionProof decode(byte[] bytes) {
        require(
                bytes.length >= MAGIC.length && Arrays.equals(Arrays.copyOf(bytes, MAGIC.length), MAGIC),
                "magic is not SBPROOF1");
        ByteBuffer buffer =
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(MAGIC.length);
        try {
            int version = buffer.getInt();
            require(version == VERSION, "version " + version + ", expected " + VERSION);
            checkCrc(bytes);
            InclusionProof proof = decodeBody(buffer);
            require(buffer.remaining() == Integer.BYTES, buffer.remaining() - Integer.BYTES + " bytes too many");
            return proof;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("inclusion proof: ends after " + bytes.length + " bytes", e);
        }
    }

    private static InclusionProof decodeBody(ByteBuffer buffer) {
        Digest genesisDigest = Digest.read(buffer);
        int batchIndex = buffer.getInt();
        Digest batchId = Digest.read(buffer);
        BlockHeader header = takeHeader(buffer);
        List<Digest> path = new ArrayList<>();
        for (int count = takeLength(buffer, PATH_LENGTH_MAX, "path length"); path.size() < count; ) {
            path.add(Digest.read(buffer));
        }
        List<BlockHeader> later = new ArrayList<>();
        for (int count = takeLength(buffer, HEADER_COUNT_MAX, "header count"); later.size() < count; ) {
            later.add(takeHeader(buffer));
        }
        int certificateLength = takeLength(buffer, CheckpointCertificate.LENGTH_MAX, "certificate length");
        CheckpointCertificate certificate = CheckpointCertificate.decode(take(buffer, certificateLength));
        byte[] batch = take(buffer, takeLength(buffer, BATCH_LENGTH_MAX, "signed batch length"));
        return new InclusionProof(genesisDigest, batchIndex, batchId, header, path, later, certificate, batch);
    }

    private static void checkCrc(byte[] bytes) {
        int at = bytes.length - Integer.BYTES;
        require(at >= MAGIC.length, "ends after " + bytes.length + " bytes");
        int expected = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
        int found = crc(bytes, at);
        require(expected == found, String.format("damaged: CRC32C expected %08x, found %08x", expected, found));
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static BlockHeader takeHeader(ByteBuffer buffer) {
        return BlockHeader.decode(take(buffer, BlockHeader.LENGTH), 0);
    }

    private static int takeLength(ByteBuffer buffer, int max, String field) {
        int length = buffer.getInt();
        require(length >= 0 && length <= max, field + " " + length + ", expected 0.." + max);
        return length;
    }

    private static byte[] take(ByteBuffer buffer, int length) {
        if (buffer.remaining() < length) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        buffer.get(bytes);
        return bytes;
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException("inclusion proof: " + fact);
        }
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
