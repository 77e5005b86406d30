package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Sha256;

/**
 * The Merkle root over leaves that come one after the other, in the form of RFC 6962 section 2.1: {@code node(l, r) =
 * SHA-256(0x01 || l || r)}, a node without a sibling is carried up unchanged, and the root of no leaves is SHA-256 of
 * nothing.
 *
 * <p>It keeps one hash for each binary digit of the number of leaves, so that it takes memory once, and two hashes at
 * most per leaf on average. One thread.
 */
public final class ResultTree {
    private static final int HASH_LENGTH = Sha256.LENGTH;
    private static final byte NODE = 1;

    private final Sha256 sha256 = new Sha256();
    /** Roots of whole subtrees, the largest first. */
    private final byte[] stack = new byte[Integer.SIZE * HASH_LENGTH];

    private int depth;
    private int leafCount;

    /** Forgets all leaves. */
    public void reset() {
        depth = 0;
        leafCount = 0;
    }

    /** Returns the number of leaves. */
    public int leafCount() {
        return leafCount;
    }

    /**
     * Adds the next leaf.
     *
     * @param leaf function that holds the leaf's bytes; its hash is taken, and it begins a new message
     */
    public void add(Sha256 leaf) {
        leaf.digest(stack, depth * HASH_LENGTH);
        onAdded();
    }

    /** Adds the next leaf by its hash of 32 bytes, which are copied. */
    public void add(byte[] leafHash) {
        System.arraycopy(leafHash, 0, stack, depth * HASH_LENGTH, HASH_LENGTH);
        onAdded();
    }

    private void onAdded() {
        depth++;
        leafCount++;
        for (int size = leafCount; (size & 1) == 0; size >>>= 1) {
            merge();
        }
    }

    /**
     * Writes the root; the tree must be {@link #reset} before it takes another leaf.
     *
     * @param destination receives 32 bytes
     * @param offset of the first byte that is written
     */
    public void root(byte[] destination, int offset) {
        if (leafCount == 0) {
            sha256.digest(destination, offset);
            return;
        }
        while (depth > 1) {
            merge();
        }
        System.arraycopy(stack, 0, destination, offset, HASH_LENGTH);
    }

    private void merge() {
        depth -= 2;
        int at = depth * HASH_LENGTH;
        sha256.update(NODE).update(stack, at, 2 * HASH_LENGTH).digest(stack, at);
        depth++;
    }
}
