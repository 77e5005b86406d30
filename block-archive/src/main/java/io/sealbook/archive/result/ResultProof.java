package io.sealbook.archive.result;

import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.ProofFormat;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultRoot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The evidence that executing a block made a report or a trade: from a leaf of the block's result tree to a result
 * digest that a quorum of nodes signed. Nothing in it is believed before {@link ResultProofVerifier} has judged it. Its
 * file is drawn in {@code doc/proof-format.md}:
 *
 * <pre>
 *   offset  length   meaning (little-endian)
 *   0       8        magic "SBRESLT1"
 *   8       4        version, 1
 *   12      32       genesis digest
 *   44      8        sequence of the block
 *   52      1        kind of the leaf: 0 execution reports, 1 trades
 *   53      4        index of the message in its leaf
 *   57      4        index of the leaf in its tree
 *   61      4        number of leaves of the tree
 *   65      32       result digest before the block
 *   97      4        p, hashes of the Merkle path, 0..32
 *   101     32 x p   Merkle path, lowest first
 *   ...     4        r, blocks that follow, 0..ROOT_COUNT_MAX
 *   ...     36 x r   of each block up to the certified one: number of leaves (4), root (32)
 *   ...     4        m, bytes of the packed messages, 1..PACKED_LENGTH_MAX
 *   ...     m        messages of the leaf, packed
 *   ...     4        c, bytes of the certificate
 *   ...     c        certificate, see CheckpointCertificate
 *   ...     4        CRC32C of everything before
 * </pre>
 *
 * @param genesisDigest SHA-256 of the genesis file
 * @param sequence of the block
 * @param place of the message in the block's results
 * @param packed messages of the leaf, see {@link PackedResults}; not changed by the owner afterwards
 * @param merklePath siblings from the leaf to the root of the block's results
 * @param digestBefore result digest after the block before
 * @param laterRoots of the blocks after it up to and with the certified one; empty if it is the certified one
 * @param certificate of the last of these blocks
 */
public record ResultProof(
        Digest genesisDigest,
        long sequence,
        ResultPlace place,
        byte[] packed,
        List<Digest> merklePath,
        Digest digestBefore,
        List<ResultRoot> laterRoots,
        CheckpointCertificate certificate) {
    /** Largest number of blocks after the report's own: 590 KB. */
    public static final int ROOT_COUNT_MAX = 16_384;

    private static final ProofFormat FORMAT = new ProofFormat("SBRESLT1", 2, "result proof");
    /** Of the body, without its lists. */
    private static final int FIXED_LENGTH = 101;

    private static final int PATH_LENGTH_MAX = 32;
    private static final int ROOT_LENGTH = Integer.BYTES + Digest.LENGTH;
    /** More than {@link ResultLeaf#RUN_MAX} messages take that differ in every word. */
    private static final int PACKED_LENGTH_MAX = 1 << 16;

    /** @throws IllegalArgumentException if a length is beyond its limit */
    public ResultProof {
        FORMAT.require(sequence >= 1, "block " + sequence);
        FORMAT.require(merklePath.size() <= PATH_LENGTH_MAX, "Merkle path of " + merklePath.size() + " hashes");
        FORMAT.require(laterRoots.size() <= ROOT_COUNT_MAX, laterRoots.size() + " blocks that follow");
        FORMAT.require(packed.length <= PACKED_LENGTH_MAX, packed.length + " bytes of messages");
        merklePath = List.copyOf(merklePath);
        laterRoots = List.copyOf(laterRoots);
    }

    /** Returns whether bytes begin as a proof of results does. */
    public static boolean isResultProof(byte[] bytes) {
        return FORMAT.matches(bytes);
    }

    /** Returns the bytes of the file. */
    public byte[] encode() {
        byte[] certificateBytes = certificate.encode();
        int bodyLength = FIXED_LENGTH
                + merklePath.size() * Digest.LENGTH
                + laterRoots.size() * ROOT_LENGTH
                + packed.length
                + certificateBytes.length;
        ByteBuffer buffer = FORMAT.begin(bodyLength);
        genesisDigest.write(buffer);
        buffer.putLong(sequence).put(place.kind().code());
        buffer.putInt(place.messageIndex()).putInt(place.leafIndex()).putInt(place.leafCount());
        digestBefore.write(buffer);
        buffer.putInt(merklePath.size());
        merklePath.forEach(hash -> hash.write(buffer));
        buffer.putInt(laterRoots.size());
        for (ResultRoot root : laterRoots) {
            buffer.putInt(root.leafCount());
            root.hash().write(buffer);
        }
        buffer.putInt(packed.length).put(packed);
        buffer.putInt(certificateBytes.length).put(certificateBytes);
        return FORMAT.end(buffer);
    }

    /**
     * Reads a proof's file.
     *
     * @throws IllegalArgumentException if the bytes are none, are damaged or have bytes after it; the message names the
     *     fact
     */
    public static ResultProof decode(byte[] bytes) {
        return FORMAT.decode(bytes, ResultProof::decodeBody);
    }

    private static ResultProof decodeBody(ByteBuffer buffer) {
        Digest genesisDigest = Digest.read(buffer);
        long sequence = buffer.getLong();
        ResultPlace place = new ResultPlace(takeKind(buffer), buffer.getInt(), buffer.getInt(), buffer.getInt());
        Digest digestBefore = Digest.read(buffer);
        List<Digest> path = new ArrayList<>();
        for (int count = FORMAT.takeLength(buffer, PATH_LENGTH_MAX, "path length"); path.size() < count; ) {
            path.add(Digest.read(buffer));
        }
        List<ResultRoot> later = new ArrayList<>();
        for (int count = FORMAT.takeLength(buffer, ROOT_COUNT_MAX, "block count"); later.size() < count; ) {
            later.add(new ResultRoot(buffer.getInt(), Digest.read(buffer)));
        }
        byte[] packed = ProofFormat.take(buffer, FORMAT.takeLength(buffer, PACKED_LENGTH_MAX, "length of messages"));
        int certificateLength = FORMAT.takeLength(buffer, CheckpointCertificate.LENGTH_MAX, "certificate length");
        CheckpointCertificate certificate = CheckpointCertificate.decode(ProofFormat.take(buffer, certificateLength));
        return new ResultProof(genesisDigest, sequence, place, packed, path, digestBefore, later, certificate);
    }

    private static ResultLeaf.Kind takeKind(ByteBuffer buffer) {
        int code = buffer.get();
        FORMAT.require(0 <= code && code < ResultLeaf.Kind.values().length, "kind " + code + ", expected 0 or 1");
        return ResultLeaf.Kind.values()[code];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResultProof that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(encode());
    }
}
