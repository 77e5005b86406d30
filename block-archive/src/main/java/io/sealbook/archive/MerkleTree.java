package io.sealbook.archive;

import io.sealbook.vocabulary.Sha256;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Merkle tree over a block's batch ids, in the form of RFC 6962 section 2.1: leaves and nodes are hashed under
 * different prefixes, and a node without a sibling is carried up unchanged instead of being paired with itself, so that
 * no two lists have the same root.
 *
 * <pre>
 *   leaf(id)   = SHA-256(0x00 || id)
 *   node(l, r) = SHA-256(0x01 || l || r)
 *   root of no batches = SHA-256 of nothing
 * </pre>
 *
 * The number of leaves is in the block header and is part of every check.
 */
public final class MerkleTree {
    private static final int HASH_LENGTH = Sha256.LENGTH;
    private static final byte LEAF = 0;
    private static final byte NODE = 1;

    private MerkleTree() {}

    /**
     * Returns the root over {@code count} ids that lie {@code stride} bytes apart.
     *
     * @param source holds the first id at {@code offset}; it is not changed
     */
    static byte[] root(byte[] source, int offset, int stride, int count) {
        Sha256 sha256 = new Sha256();
        if (count == 0) {
            return sha256.digestBytes();
        }
        byte[] level = leaves(sha256, source, offset, stride, count);
        for (int width = count; width > 1; width = (width + 1) / 2) {
            reduce(sha256, level, width);
        }
        return Arrays.copyOf(level, HASH_LENGTH);
    }

    /** Returns the root over the ids, each of 32 bytes, in this order. */
    public static byte[] root(List<byte[]> batchIds) {
        byte[] flat = flatten(batchIds);
        return root(flat, 0, HASH_LENGTH, batchIds.size());
    }

    /**
     * Returns the siblings on the way from a leaf to the root, lowest first; levels at which the node has no sibling
     * add nothing.
     *
     * @param batchIds of the block, 32 bytes each, in its order
     * @param index of the leaf, below the number of ids
     */
    public static List<byte[]> path(List<byte[]> batchIds, int index) {
        int count = batchIds.size();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("leaf " + index + " of " + count);
        }
        Sha256 sha256 = new Sha256();
        byte[] level = leaves(sha256, flatten(batchIds), 0, HASH_LENGTH, count);
        List<byte[]> siblings = new ArrayList<>();
        int position = index;
        for (int width = count; width > 1; width = (width + 1) / 2) {
            int sibling = position ^ 1;
            if (sibling < width) {
                siblings.add(Arrays.copyOfRange(level, sibling * HASH_LENGTH, (sibling + 1) * HASH_LENGTH));
            }
            reduce(sha256, level, width);
            position /= 2;
        }
        return siblings;
    }

    /**
     * Returns whether a path leads from a batch id to the root.
     *
     * @param batchId 32 bytes; false if it has another length
     * @param index of the leaf; false if it is not below the count
     * @param count number of leaves
     * @param path siblings, lowest first; false if it has a hash too few or too many
     * @param root 32 bytes
     */
    public static boolean isIncluded(byte[] batchId, int index, int count, List<byte[]> path, byte[] root) {
        if (index < 0 || index >= count || batchId.length != HASH_LENGTH) {
            return false;
        }
        Sha256 sha256 = new Sha256();
        byte[] hash = leaf(sha256, batchId);
        int used = 0;
        int position = index;
        for (int width = count; width > 1; width = (width + 1) / 2) {
            int sibling = position ^ 1;
            if (sibling < width) {
                if (used == path.size() || path.get(used).length != HASH_LENGTH) {
                    return false;
                }
                byte[] other = path.get(used++);
                hash = sibling < position ? node(sha256, other, hash) : node(sha256, hash, other);
            }
            position /= 2;
        }
        return used == path.size() && MessageDigest.isEqual(hash, root);
    }

    private static byte[] leaves(Sha256 sha256, byte[] source, int offset, int stride, int count) {
        byte[] level = new byte[count * HASH_LENGTH];
        for (int i = 0; i < count; i++) {
            sha256.update(LEAF);
            sha256.update(source, offset + i * stride, HASH_LENGTH);
            digestInto(sha256, level, i);
        }
        return level;
    }

    /** Replaces the first {@code width} hashes of a level by the hashes one level up. */
    private static void reduce(Sha256 sha256, byte[] level, int width) {
        for (int i = 0; i < width / 2; i++) {
            sha256.update(NODE);
            sha256.update(level, 2 * i * HASH_LENGTH, 2 * HASH_LENGTH);
            digestInto(sha256, level, i);
        }
        if (width % 2 == 1) {
            System.arraycopy(level, (width - 1) * HASH_LENGTH, level, width / 2 * HASH_LENGTH, HASH_LENGTH);
        }
    }

    private static void digestInto(Sha256 sha256, byte[] level, int index) {
        sha256.digest(level, index * HASH_LENGTH);
    }

    private static byte[] leaf(Sha256 sha256, byte[] batchId) {
        return sha256.update(LEAF).update(batchId).digestBytes();
    }

    private static byte[] node(Sha256 sha256, byte[] left, byte[] right) {
        return sha256.update(NODE).update(left).update(right).digestBytes();
    }

    private static byte[] flatten(List<byte[]> batchIds) {
        byte[] flat = new byte[batchIds.size() * HASH_LENGTH];
        for (int i = 0; i < batchIds.size(); i++) {
            byte[] batchId = batchIds.get(i);
            if (batchId.length != HASH_LENGTH) {
                throw new IllegalArgumentException("batch id " + i + " has " + batchId.length + " bytes");
            }
            System.arraycopy(batchId, 0, flat, i * HASH_LENGTH, HASH_LENGTH);
        }
        return flat;
    }
}
