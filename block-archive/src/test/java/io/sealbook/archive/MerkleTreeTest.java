package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MerkleTreeTest {
    private static final int COUNT_MAX = 33;

    private final List<Digest> ids = ids(COUNT_MAX);

    @Test
    void shouldHashNothingToTheDigestOfNothing() {
        assertThat(MerkleTree.root(List.of()).hex())
                .isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    @Test
    void shouldEqualTheRecursiveDefinitionOfRfc6962() {
        for (int count = 1; count <= COUNT_MAX; count++) {
            List<Digest> some = ids.subList(0, count);

            assertThat(MerkleTree.root(some)).as("%d leaves", count).isEqualTo(rfc6962(some));
        }
    }

    /** Section 2.1: k is the largest power of two smaller than n. */
    private static Digest rfc6962(List<Digest> leaves) {
        if (leaves.size() == 1) {
            return Digest.sha256(new byte[] {0}, leaves.getFirst().bytes());
        }
        int k = Integer.highestOneBit(leaves.size() - 1);
        return Digest.sha256(
                new byte[] {1},
                rfc6962(leaves.subList(0, k)).bytes(),
                rfc6962(leaves.subList(k, leaves.size())).bytes());
    }

    @Test
    void shouldProveEveryLeafAndNothingElse() {
        for (int count = 1; count <= COUNT_MAX; count++) {
            List<Digest> some = ids.subList(0, count);
            Digest root = MerkleTree.root(some);
            for (int index = 0; index < count; index++) {
                List<Digest> path = MerkleTree.path(some, index);
                Digest id = some.get(index);

                assertThat(MerkleTree.isIncluded(id, index, count, path, root)).isTrue();
                for (int other = 0; other < count; other++) {
                    assertThat(MerkleTree.isIncluded(id, other, count, path, root))
                            .isEqualTo(other == index);
                }
                assertThat(MerkleTree.isIncluded(root, index, count, path, root))
                        .isFalse();
                assertThat(MerkleTree.isIncluded(id, -1, count, path, root)).isFalse();
                assertRefusesChangedPath(id, index, count, path, root);
            }
        }
    }

    private void assertRefusesChangedPath(Digest id, int index, int count, List<Digest> path, Digest root) {
        for (int i = 0; i < path.size(); i++) {
            List<Digest> changed = new ArrayList<>(path);
            changed.set(i, id);
            assertThat(MerkleTree.isIncluded(id, index, count, changed, root)).isFalse();
        }
        List<Digest> longer = new ArrayList<>(path);
        longer.add(id);
        assertThat(MerkleTree.isIncluded(id, index, count, longer, root)).isFalse();
        if (!path.isEmpty()) {
            assertThat(MerkleTree.isIncluded(id, index, count, path.subList(1, path.size()), root))
                    .isFalse();
        }
    }

    @Test
    void shouldTellRepeatedLastLeafFromSingleOne() {
        List<Digest> three = ids.subList(0, 3);
        List<Digest> lastTwice = List.of(three.get(0), three.get(1), three.get(2), three.get(2));

        assertThat(MerkleTree.root(lastTwice)).isNotEqualTo(MerkleTree.root(three));
    }

    @Test
    void shouldRefuseIndexOutsideTheTree() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> MerkleTree.path(ids, COUNT_MAX));
    }

    private static List<Digest> ids(int count) {
        Random random = new Random(1);
        List<Digest> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(Chains.digest(random));
        }
        return ids;
    }
}
