package io.sealbook.client.proof;

import io.sealbook.vocabulary.Digest;
import java.util.List;

/** Paths of the Merkle tree of RFC 6962, section 2.1, whose node without a sibling is carried up. */
final class MerklePath {
    private static final byte[] LEAF = {0};
    private static final byte[] INNER = {1};

    private MerklePath() {}

    /**
     * Returns whether a path leads from a leaf to a root.
     *
     * @param leaf not hashed yet
     * @param index of the leaf, from 0
     * @param count of leaves
     * @param path siblings, the lowest first
     * @param root that it must lead to
     */
    static boolean leads(Digest leaf, int index, int count, List<Digest> path, Digest root) {
        if (index < 0 || index >= count) {
            return false;
        }
        Digest hash = Digest.sha256(LEAF, leaf.bytes());
        int used = 0;
        for (int i = index, width = count; width > 1; i /= 2, width = width / 2 + width % 2) {
            if ((i ^ 1) >= width) {
                continue;
            }
            if (used == path.size()) {
                return false;
            }
            byte[] sibling = path.get(used++).bytes();
            hash = i % 2 == 1
                    ? Digest.sha256(INNER, sibling, hash.bytes())
                    : Digest.sha256(INNER, hash.bytes(), sibling);
        }
        return used == path.size() && hash.equals(root);
    }
}
