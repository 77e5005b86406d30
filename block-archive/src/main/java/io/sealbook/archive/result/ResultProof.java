package io.sealbook.archive.result;

import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.ProofFormat;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultRoot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The evidence that executing a block had a result: from a leaf of the block's result tree to a result digest that a
 * quorum of nodes signed. Nothing in it is believed before {@link ResultProofVerifier} has judged it. Its file is drawn
 * in {@code doc/proof-format.md}:
 *
 * <pre>
 *   offset  length   meaning (little-endian)
 *   0       8        magic "SBRESLT1"
 *   8       4        version, 2
 *   12      32       genesis digest
 *   44      8        sequence of the block
 *   52      4        broker id of the leaf
 *   56      8        report sequence of the first result of the leaf
 *   64      4        index of the result in its leaf
 *   68      4        index of the leaf in its tree
 *   72      4        number of leaves of the tree
 *   76      32       result digest before the block
 *   108     4        p, hashes of the Merkle path, 0..32
 *   112     32 x p   Merkle path, lowest first
 *   ...     4        r, blocks that follow, 0..ROOT_COUNT_MAX
 *   ...     36 x r   of each block up to the certified one: number of leaves (4), root (32)
 *   ...     4        m, bytes of the cells, a multiple of 32 up to 256 x 32
 *   ...     m        cells of the leaf, see ResultCell
 *   ...     4        c, bytes of the certificate
 *   ...     c        certificate, see CheckpointCertificate
 *   ...     4        CRC32C of everything before
 * </pre>
 *
 * @param genesisDigest SHA-256 of the genesis file
 * @param sequence of the block
 * @param place of the result in the block's results
 * @param cells of the leaf, see {@link ResultCell}; not changed by the owner afterwards
 * @param merklePath siblings from the leaf to the root of the block's results
 * @param digestBefore result digest after the block before
 * @param laterRoots of the blocks after it up to and with the certified one; empty if it is the certified one
 * @param certificate of the last of these blocks
 */
public record ResultProof(
        Digest genesisDigest,
        long sequence,
        ResultPlace place,
        byte[] cells,
        List<Digest> merklePath,
        Digest digestBefore,
        List<ResultRoot> laterRoots,
        CheckpointCertificate certificate) {
    /** Largest number of blocks after the result's own: 590 KB. */
    public static final int ROOT_COUNT_MAX = 16_384;

    private static final ProofFormat FORMAT = new ProofFormat("SBRESLT1", 2, "result proof");
    /** Of the body, without its lists. */
    private static final int FIXED_LENGTH = 112;

    private static final int PATH_LENGTH_MAX = 32;
    private static final int ROOT_LENGTH = Integer.BYTES + Digest.LENGTH;
    private static final int CELLS_LENGTH_MAX = ResultLeaf.RUN_MAX * ResultCell.LENGTH;

    /** @throws IllegalArgumentException if a length is beyond its limit */
    public ResultProof {
        FORMAT.require(sequence >= 1, "block " + sequence);
        FORMAT.require(merklePath.size() <= PATH_LENGTH_MAX, "Merkle path of " + merklePath.size() + " hashes");
        FORMAT.require(laterRoots.size() <= ROOT_COUNT_MAX, laterRoots.size() + " blocks that follow");
        FORMAT.require(cells.length <= CELLS_LENGTH_MAX, cells.length + " bytes of cells");
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
                + cells.length
                + certificateBytes.length;
        ByteBuffer buffer = FORMAT.begin(bodyLength);
        genesisDigest.write(buffer);
        buffer.putLong(sequence).putInt(place.brokerId()).putLong(place.firstSequence());
        buffer.putInt(place.index()).putInt(place.leafIndex()).putInt(place.leafCount());
        digestBefore.write(buffer);
        buffer.putInt(merklePath.size());
        merklePath.forEach(hash -> hash.write(buffer));
        buffer.putInt(laterRoots.size());
        for (ResultRoot root : laterRoots) {
            buffer.putInt(root.leafCount());
            root.hash().write(buffer);
        }
        buffer.putInt(cells.length).put(cells);
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
        ResultPlace place =
                new ResultPlace(buffer.getInt(), buffer.getLong(), buffer.getInt(), buffer.getInt(), buffer.getInt());
        Digest digestBefore = Digest.read(buffer);
        List<Digest> path = new ArrayList<>();
        for (int count = FORMAT.takeLength(buffer, PATH_LENGTH_MAX, "path length"); path.size() < count; ) {
            path.add(Digest.read(buffer));
        }
        List<ResultRoot> later = new ArrayList<>();
        for (int count = FORMAT.takeLength(buffer, ROOT_COUNT_MAX, "block count"); later.size() < count; ) {
            later.add(new ResultRoot(buffer.getInt(), Digest.read(buffer)));
        }
        byte[] cells = ProofFormat.take(buffer, FORMAT.takeLength(buffer, CELLS_LENGTH_MAX, "length of cells"));
        int certificateLength = FORMAT.takeLength(buffer, CheckpointCertificate.LENGTH_MAX, "certificate length");
        CheckpointCertificate certificate = CheckpointCertificate.decode(ProofFormat.take(buffer, certificateLength));
        return new ResultProof(genesisDigest, sequence, place, cells, path, digestBefore, later, certificate);
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
