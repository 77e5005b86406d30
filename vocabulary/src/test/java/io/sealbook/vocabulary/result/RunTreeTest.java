package io.sealbook.vocabulary.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunTreeTest {
    private static final int COUNT = 3;
    private static final int DETAILS = ReportRun.HEADER_LENGTH + COUNT * ResultCell.LENGTH;
    private static final int BROKER = 7;
    private static final long FIRST = 1_000;

    private final RunTree tree = new RunTree();

    @Test
    void shouldHashWhatTheDocumentSays() {
        byte[] run = run();
        byte[] leaf = leafHash(run);
        ByteBuffer hashed = ByteBuffer.allocate(73 + run.length - DETAILS)
                .put((byte) 3)
                .put(run, 0, 40)
                .put(leaf)
                .put(run, DETAILS, run.length - DETAILS);
        tree.add(run);

        assertThat(tree.take().bytes()).isEqualTo(Sha256.of(hashed.array()));
    }

    @Test
    void shouldTakeAHashThatIsKnown() {
        byte[] run = run();
        byte[] bytes = ByteBuffer.allocate(5 + 32 + run.length + 5)
                .position(5)
                .put(leafHash(run))
                .put(run)
                .array();
        tree.add(run);
        Digest computed = tree.take();
        tree.add(bytes, 5 + 32, run.length, bytes, 5);

        assertThat(tree.take()).isEqualTo(computed);
    }

    @Test
    void shouldBindEveryByte() {
        Set<Digest> digests = new HashSet<>();
        byte[] run = run();
        tree.add(run);
        digests.add(tree.take());
        for (int at = 0; at < run.length; at++) {
            byte[] other = run.clone();
            other[at] ^= 1;
            if (ReportRun.count(other, 0) == COUNT) {
                tree.add(other);
                digests.add(tree.take());
            }
        }
        assertThat(digests).hasSize(1 + run.length - Integer.BYTES);
    }

    @Test
    void shouldRefuseBytesThatAreNoRun() {
        byte[] run = run();
        for (int length : new int[] {0, 39, 40, DETAILS, DETAILS + 8 * COUNT - 1}) {
            assertThatThrownBy(() -> tree.add(Arrays.copyOf(run, length)))
                    .as("%d bytes", length)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (int count : new int[] {0, -1, ReportRun.COUNT_MAX + 1, Integer.MAX_VALUE}) {
            byte[] other = run.clone();
            ReportRun.begin(other, 0, BROKER, count, FIRST);
            assertThatThrownBy(() -> tree.add(other))
                    .as("%d reports", count)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static byte[] leafHash(byte[] run) {
        return ResultLeaf.hash(BROKER, FIRST, Arrays.copyOfRange(run, ReportRun.HEADER_LENGTH, DETAILS));
    }

    private static byte[] run() {
        ByteBuffer run = ByteBuffer.allocate(DETAILS + COUNT * 4 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ReportRun.begin(run.array(), 0, BROKER, COUNT, FIRST);
        ReportRun.putBlock(run.array(), 0, 12, 12_000, 5_000);
        run.position(DETAILS);
        for (int i = 0; i < COUNT; i++) {
            new ResultCell(1, i, ResultEvent.ACCEPTED, 0, 40 + i, 0, 9)
                    .write(run.array(), ReportRun.HEADER_LENGTH + i * ResultCell.LENGTH);
            run.putLong(i).putLong(2).putLong(3).putLong(100);
        }
        return run.array();
    }
}
