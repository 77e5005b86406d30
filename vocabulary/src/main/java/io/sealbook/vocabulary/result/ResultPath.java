package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Merkle paths of a {@link ResultTree}: from the hash of one leaf to the root, for proofs. Allocates. */
public final class ResultPath {
    private static final byte NODE = 1;

    private ResultPath() {}

    /**
     * Returns the siblings on the way from a leaf to the root, lowest first; levels at which the node has no sibling
     * add nothing.
     *
     * @param leaves hashes of all leaves of the tree
     * @param index of the leaf, below their number
     */
    public static List<Digest> of(List<Digest> leaves, int index) {
        List<Digest> siblings = new ArrayList<>();
        List<Digest> level = leaves;
        int position = index;
        while (level.size() > 1) {
            int sibling = position ^ 1;
            if (sibling < level.size()) {
                siblings.add(level.get(sibling));
            }
            level = above(level);
            position /= 2;
        }
        return siblings;
    }

    /**
     * Returns the root to which a path leads.
     *
     * @param leaf hash of the leaf
     * @param index of the leaf, from 0
     * @param leafCount of the tree
     * @param path siblings, lowest first
     * @return empty if a tree of that many leaves has no such leaf, or a path of another length
     */
    public static Optional<Digest> root(Digest leaf, int index, int leafCount, List<Digest> path) {
        if (index < 0 || index >= leafCount) {
            return Optional.empty();
        }
        Digest hash = leaf;
        int used = 0;
        int position = index;
        for (int width = leafCount; width > 1; width = width / 2 + width % 2) {
            int sibling = position ^ 1;
            if (sibling < width) {
                if (used == path.size()) {
                    return Optional.empty();
                }
                Digest other = path.get(used++);
                hash = sibling < position ? node(other, hash) : node(hash, other);
            }
            position /= 2;
        }
        return used == path.size() ? Optional.of(hash) : Optional.empty();
    }

    private static List<Digest> above(List<Digest> level) {
        List<Digest> nodes = new ArrayList<>();
        for (int i = 0; i + 1 < level.size(); i += 2) {
            nodes.add(node(level.get(i), level.get(i + 1)));
        }
        if (level.size() % 2 == 1) {
            nodes.add(level.get(level.size() - 1));
        }
        return nodes;
    }

    private static Digest node(Digest left, Digest right) {
        return new Sha256()
                .update(NODE)
                .update(left.bytes())
                .update(right.bytes())
                .digest();
    }
}
