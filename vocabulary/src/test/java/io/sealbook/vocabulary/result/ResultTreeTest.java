package io.sealbook.vocabulary.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResultTreeTest {
    private final ResultTree tree = new ResultTree();

    @Test
    void shouldHaveTheRootOfRfc6962ForEveryNumberOfLeaves() {
        List<byte[]> leaves = new ArrayList<>();
        for (int count = 0; count <= 600; count++) {
            tree.reset();
            for (byte[] leaf : leaves) {
                tree.add(function(leaf));
            }

            assertThat(tree.leafCount()).isEqualTo(count);
            assertThat(root()).as("%d leaves", count).isEqualTo(mth(leaves));
            leaves.add(("run " + count).getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void shouldBeEmptyAfterReset() {
        tree.add(function(new byte[] {1}));
        tree.reset();

        assertThat(tree.leafCount()).isZero();
        assertThat(root()).isEqualTo(Digest.sha256());
    }

    @Test
    void shouldHashALeafUnderItsBrokerAndFirstSequence() {
        byte[] cells = {7, 8, 9};

        assertThat(ResultLeaf.hash(0x0102, 0x0304, cells))
                .isEqualTo(Sha256.of(new byte[] {0, 2, 1, 0, 0, 4, 3, 0, 0, 0, 0, 0, 0, 7, 8, 9}));
    }

    @Test
    void shouldBindDigestSequenceNumberOfLeavesAndRoot() {
        byte[] before = Sha256.of(new byte[] {5});
        tree.add(function(new byte[] {1}));
        tree.add(function(new byte[] {2}));
        tree.add(function(new byte[] {3}));
        Digest root = root();
        byte[] link = ByteBuffer.allocate(77)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 2)
                .put(before)
                .putLong(0x1122_3344_5566_7788L)
                .putInt(3)
                .put(root.bytes())
                .array();

        byte[] fromRoot = before.clone();
        new ResultLink().apply(fromRoot, 0x1122_3344_5566_7788L, new ResultRoot(3, root));
        byte[] fromTree = before.clone();
        new ResultLink().apply(fromTree, 0x1122_3344_5566_7788L, tree);

        assertThat(fromRoot).isEqualTo(Sha256.of(link));
        assertThat(fromTree).isEqualTo(fromRoot);
    }

    @Test
    void shouldLeadFromEachLeafToTheRootAndFromNowhereElse() {
        List<Digest> hashes = new ArrayList<>();
        for (int count = 1; count <= 33; count++) {
            hashes.add(function(new byte[] {(byte) count}).digest());
            tree.reset();
            for (int i = 1; i <= count; i++) {
                tree.add(function(new byte[] {(byte) i}));
            }
            Digest root = root();
            for (int i = 0; i < count; i++) {
                List<Digest> path = ResultPath.of(hashes, i);

                assertThat(ResultPath.root(hashes.get(i), i, count, path)).hasValue(root);
                assertThat(ResultPath.root(hashes.get(i), i ^ 1, count, path)).isNotEqualTo(Optional.of(root));
                assertThat(ResultPath.root(hashes.get(i), i, 2 * count + 1, path))
                        .isNotEqualTo(Optional.of(root));
                List<Digest> longer = new ArrayList<>(path);
                longer.add(Digest.ZERO);
                assertThat(ResultPath.root(hashes.get(i), i, count, longer)).isEmpty();
            }
            assertThat(ResultPath.root(hashes.get(0), count, count, List.of())).isEmpty();
            assertThat(ResultPath.root(hashes.get(0), -1, count, List.of())).isEmpty();
        }
    }

    private Digest root() {
        byte[] root = new byte[Digest.LENGTH];
        tree.root(root, 0);
        return Digest.of(root);
    }

    private static Sha256 function(byte[] leaf) {
        return new Sha256().update(new byte[] {0, 0}).update(leaf);
    }

    /** The definition, RFC 6962 section 2.1. */
    private static Digest mth(List<byte[]> leaves) {
        int n = leaves.size();
        if (n == 0) {
            return Digest.sha256();
        }
        if (n == 1) {
            return Digest.sha256(new byte[] {0, 0}, leaves.get(0));
        }
        int k = Integer.highestOneBit(n - 1);
        return Digest.sha256(
                new byte[] {1},
                mth(leaves.subList(0, k)).bytes(),
                mth(leaves.subList(k, n)).bytes());
    }
}
