package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.vocabulary.Sha256;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MerkleTreeTest {
    private static final int COUNT_MAX = 33;

    private final List<byte[]> ids = ids(COUNT_MAX);

    @Test
    void shouldHashNothingToTheDigestOfNothing() {
        assertThat(MerkleTree.root(List.of()))
                .isEqualTo(HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    }

    @Test
    void shouldEqualTheRecursiveDefinitionOfRfc6962() {
        for (int count = 1; count <= COUNT_MAX; count++) {
            List<byte[]> some = ids.subList(0, count);

            assertThat(MerkleTree.root(some)).as("%d leaves", count).isEqualTo(rfc6962(some));
        }
    }

    /** Section 2.1: k is the largest power of two smaller than n. */
    private static byte[] rfc6962(List<byte[]> leaves) {
        if (leaves.size() == 1) {
            return sha256(0, leaves.getFirst(), new byte[0]);
        }
        int k = Integer.highestOneBit(leaves.size() - 1);
        return sha256(1, rfc6962(leaves.subList(0, k)), rfc6962(leaves.subList(k, leaves.size())));
    }

    private static byte[] sha256(int prefix, byte[] left, byte[] right) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(prefix);
        bytes.writeBytes(left);
        bytes.writeBytes(right);
        return Sha256.of(bytes.toByteArray());
    }

    @Test
    void shouldProveEveryLeafAndNothingElse() {
        for (int count = 1; count <= COUNT_MAX; count++) {
            List<byte[]> some = ids.subList(0, count);
            byte[] root = MerkleTree.root(some);
            for (int index = 0; index < count; index++) {
                List<byte[]> path = MerkleTree.path(some, index);
                byte[] id = some.get(index);

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

    private void assertRefusesChangedPath(byte[] id, int index, int count, List<byte[]> path, byte[] root) {
        for (int i = 0; i < path.size(); i++) {
            List<byte[]> changed = new ArrayList<>(path);
            changed.set(i, id);
            assertThat(MerkleTree.isIncluded(id, index, count, changed, root)).isFalse();
        }
        List<byte[]> longer = new ArrayList<>(path);
        longer.add(id);
        assertThat(MerkleTree.isIncluded(id, index, count, longer, root)).isFalse();
        if (!path.isEmpty()) {
            assertThat(MerkleTree.isIncluded(id, index, count, path.subList(1, path.size()), root))
                    .isFalse();
        }
    }

    @Test
    void shouldTellRepeatedLastLeafFromSingleOne() {
        List<byte[]> three = ids.subList(0, 3);
        List<byte[]> lastTwice = List.of(three.get(0), three.get(1), three.get(2), three.get(2));

        assertThat(MerkleTree.root(lastTwice)).isNotEqualTo(MerkleTree.root(three));
    }

    @Test
    void shouldRefuseIndexOutsideTheTree() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> MerkleTree.path(ids, COUNT_MAX));
    }

    private static List<byte[]> ids(int count) {
        Random random = new Random(1);
        List<byte[]> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(Chains.bytes(random, 32));
        }
        return ids;
    }
}
