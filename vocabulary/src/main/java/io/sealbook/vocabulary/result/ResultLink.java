package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Sha256;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * One link of the chain of result digests: {@code digest(n) = SHA-256(link(n))}, and digest(0) is zero. A block without
 * outputs moves the chain too.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       1       0x02: neither a leaf nor a node of a tree
 *   1       32      digest(n - 1)
 *   33      8       n
 *   41      4       number of leaves of the result tree
 *   45      32      root of the result tree, see {@link ResultTree}
 * </pre>
 *
 * Reused. One thread.
 */
public final class ResultLink {
    /** Bytes of a link. */
    public static final int LENGTH = 77;

    private static final byte LINK = 2;
    private static final int DIGEST_OFFSET = 1;
    private static final int SEQUENCE_OFFSET = 33;
    private static final int LEAF_COUNT_OFFSET = 41;
    private static final int ROOT_OFFSET = 45;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final Sha256 sha256 = new Sha256();
    private final byte[] bytes = new byte[LENGTH];

    /** Makes the link function. */
    public ResultLink() {
        bytes[0] = LINK;
    }

    /**
     * Replaces the digest of block n - 1 by the digest of block n.
     *
     * @param digest 32 bytes, changed
     * @param sequence n, the block
     * @param tree holds all leaves of the block; its root is taken
     */
    public void apply(byte[] digest, long sequence, ResultTree tree) {
        tree.root(bytes, ROOT_OFFSET);
        hash(digest, sequence, tree.leafCount());
    }

    /**
     * Replaces the digest of block n - 1 by the digest of block n.
     *
     * @param digest 32 bytes, changed
     * @param sequence n, the block
     * @param root of the result tree and its number of leaves
     */
    public void apply(byte[] digest, long sequence, ResultRoot root) {
        root.hash().write(bytes, ROOT_OFFSET);
        hash(digest, sequence, root.leafCount());
    }

    private void hash(byte[] digest, long sequence, int leafCount) {
        System.arraycopy(digest, 0, bytes, DIGEST_OFFSET, Sha256.LENGTH);
        LONG.set(bytes, SEQUENCE_OFFSET, sequence);
        INT.set(bytes, LEAF_COUNT_OFFSET, leafCount);
        sha256.update(bytes).digest(digest, 0);
    }
}
