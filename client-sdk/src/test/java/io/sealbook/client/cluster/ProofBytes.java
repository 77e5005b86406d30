package io.sealbook.client.cluster;

import io.sealbook.client.Receipt;
import io.sealbook.crypto.Signer;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** An inclusion proof as block-archive/doc/proof-format.md draws it: batch 1 of 3 in block 7, certified at block 8. */
public final class ProofBytes {
    private static final long BLOCK = 7;
    private static final int INDEX = 1;
    private static final int HEADER = 144;
    private static final int SIGNATURE = 65;

    private final byte[] genesisDigest;
    private final long chainId;
    private final byte[] signedBatch = new byte[88 + 48 + SIGNATURE];
    private final Digest batchId;
    private final Digest left;
    private final Digest right;
    private final byte[] header;
    private final byte[] laterHeader;

    /**
     * Makes the batch and the blocks.
     *
     * @param genesisDigest of the chain
     * @param chainId of the chain
     */
    public ProofBytes(Digest genesisDigest, long chainId) {
        this.genesisDigest = genesisDigest.bytes();
        this.chainId = chainId;
        Random random = new Random(11);
        random.nextBytes(signedBatch);
        batchId = Digest.sha256(Arrays.copyOf(signedBatch, signedBatch.length - SIGNATURE));
        left = node(0, Digest.sha256(new byte[] {1}).bytes());
        right = node(0, Digest.sha256(new byte[] {2}).bytes());
        Digest pair = node(1, left.bytes(), node(0, batchId.bytes()).bytes());
        header = header(random, BLOCK, 3, node(1, pair.bytes(), right.bytes()), Digest.ZERO);
        laterHeader = header(random, BLOCK + 1, 1, batchId, Digest.sha256(header));
    }

    private static Digest node(int kind, byte[]... parts) {
        byte[][] all = new byte[parts.length + 1][];
        all[0] = new byte[] {(byte) kind};
        System.arraycopy(parts, 0, all, 1, parts.length);
        return Digest.sha256(all);
    }

    private static byte[] header(Random random, long sequence, int batches, Digest root, Digest previous) {
        byte[] bytes = new byte[HEADER];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(8, sequence)
                .putInt(32, batches);
        root.write(bytes, 40);
        previous.write(bytes, 104);
        return bytes;
    }

    /** Returns what a node says about the batch. */
    public Receipt receipt() {
        return new Receipt(
                batchId.bytes(), BLOCK, INDEX, 1, Digest.sha256(header).bytes(), 2);
    }

    /** Returns the file, certified by these nodes. */
    public byte[] file(List<Integer> nodes, List<Signer> signers) {
        byte[] certificate = certificate(nodes, signers);
        ByteBuffer file = ByteBuffer.allocate(1 << 13).order(ByteOrder.LITTLE_ENDIAN);
        file.put("SBPROOF1".getBytes(StandardCharsets.US_ASCII)).putInt(3).put(genesisDigest);
        file.putInt(INDEX).put(batchId.bytes()).put(header);
        file.putInt(2).put(left.bytes()).put(right.bytes());
        file.putInt(1).put(laterHeader);
        file.putInt(certificate.length).put(certificate);
        file.putInt(signedBatch.length).put(signedBatch).putInt(0);
        return Arrays.copyOf(file.array(), file.position());
    }

    private byte[] certificate(List<Integer> nodes, List<Signer> signers) {
        byte[] facts = ByteBuffer.allocate(104)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(BLOCK + 1)
                .put(Digest.sha256(laterHeader).bytes())
                .put(Digest.sha256(new byte[] {3}).bytes())
                .put(Digest.sha256(new byte[] {4}).bytes())
                .array();
        byte[] signed = ByteBuffer.allocate(120)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("SBCHKPT2".getBytes(StandardCharsets.US_ASCII))
                .putLong(chainId)
                .put(facts)
                .array();
        ByteBuffer certificate = ByteBuffer.allocate(facts.length + 4 + nodes.size() * (4 + SIGNATURE))
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(facts)
                .putInt(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            certificate.putInt(nodes.get(i)).put(signers.get(i).sign(signed));
        }
        return certificate.array();
    }
}
