package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.util.ArrayList;
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
    static Digest root(byte[] source, int offset, int stride, int count) {
        Sha256 sha256 = new Sha256();
        if (count == 0) {
            return sha256.digest();
        }
        byte[] level = leaves(sha256, source, offset, stride, count);
        for (int width = count; width > 1; width = (width + 1) / 2) {
            reduce(sha256, level, width);
        }
        return Digest.of(level, 0);
    }

    /** Returns the root over the ids, in this order. */
    public static Digest root(List<Digest> batchIds) {
        byte[] flat = flatten(batchIds);
        return root(flat, 0, HASH_LENGTH, batchIds.size());
    }

    /**
     * Returns the siblings on the way from a leaf to the root, lowest first; levels at which the node has no sibling
     * add nothing.
     *
     * @param batchIds of the block, in its order
     * @param index of the leaf, below the number of ids
     */
    public static List<Digest> path(List<Digest> batchIds, int index) {
        int count = batchIds.size();
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("leaf " + index + " of " + count);
        }
        Sha256 sha256 = new Sha256();
        byte[] level = leaves(sha256, flatten(batchIds), 0, HASH_LENGTH, count);
        List<Digest> siblings = new ArrayList<>();
        int position = index;
        for (int width = count; width > 1; width = (width + 1) / 2) {
            int sibling = position ^ 1;
            if (sibling < width) {
                siblings.add(Digest.of(level, sibling * HASH_LENGTH));
            }
            reduce(sha256, level, width);
            position /= 2;
        }
        return siblings;
    }

    /**
     * Returns whether a path leads from a batch id to the root.
     *
     * @param batchId of the batch that is looked for
     * @param index of the leaf; false if it is not below the count
     * @param count number of leaves
     * @param path siblings, lowest first; false if it has a hash too few or too many
     * @param root of the block's header
     */
    public static boolean isIncluded(Digest batchId, int index, int count, List<Digest> path, Digest root) {
        if (index < 0 || index >= count) {
            return false;
        }
        Sha256 sha256 = new Sha256();
        Digest hash = leaf(sha256, batchId);
        int used = 0;
        int position = index;
        for (int width = count; width > 1; width = (width + 1) / 2) {
            int sibling = position ^ 1;
            if (sibling < width) {
                if (used == path.size()) {
                    return false;
                }
                Digest other = path.get(used++);
                hash = sibling < position ? node(sha256, other, hash) : node(sha256, hash, other);
            }
            position /= 2;
        }
        return used == path.size() && hash.equals(root);
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

    private static Digest leaf(Sha256 sha256, Digest batchId) {
        return sha256.update(LEAF).update(batchId.bytes()).digest();
    }

    private static Digest node(Sha256 sha256, Digest left, Digest right) {
        return sha256.update(NODE).update(left.bytes()).update(right.bytes()).digest();
    }

    private static byte[] flatten(List<Digest> batchIds) {
        byte[] flat = new byte[batchIds.size() * HASH_LENGTH];
        for (int i = 0; i < batchIds.size(); i++) {
            batchIds.get(i).write(flat, i * HASH_LENGTH);
        }
        return flat;
    }
}
