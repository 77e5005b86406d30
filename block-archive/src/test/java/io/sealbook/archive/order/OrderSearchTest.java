package io.sealbook.archive.order;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockFacts;
import io.sealbook.archive.BlockSource;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SignedBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderSearchTest {
    private static final Digest GENESIS_DIGEST = Digest.sha256(new byte[] {1});
    private static final long SECOND_NS = 1_000_000_000L;

    @TempDir
    private Path directory;

    private BlockArchive archive;
    private final List<ArchivedOrder> found = new ArrayList<>();
    private final List<Long> unreadable = new ArrayList<>();
    private final List<Long> searched = new ArrayList<>();

    @BeforeEach
    void open() {
        archive = BlockArchive.open(directory, new ArchiveConfig(GENESIS_DIGEST, 4, Durability.PROCESS));
    }

    @AfterEach
    void close() {
        archive.close();
    }

    @Test
    void shouldFindAnOrderItsReplaceAndItsCancel() {
        append(1, batch(1, order(7, 0, 'D'), order(8, 0, 'D')), batch(2, order(7, 0, 'D')));
        append(2, batch(2, order(9, 7, 'F')));
        append(3, batch(1, order(6, 0, 'D')), batch(1, order(10, 7, 'G')));
        append(4, batch(1, order(11, 7, 'F')));

        search(1, 4, new OrderQuery(1, 7));

        assertThat(found.stream().map(ArchivedOrder::place))
                .containsExactly(new OrderPlace(1, 0, 0), new OrderPlace(3, 1, 0), new OrderPlace(4, 0, 0));
        assertThat(found.stream().map(order -> order.fields().clOrdId())).containsExactly(7L, 10L, 11L);
        assertThat(found).allMatch(order -> order.brokerId() == 1);
        Block third = Block.wrap(archive.read(3).orElseThrow());
        assertThat(found.get(1).batchId()).isEqualTo(third.batchId(1));
        assertThat(found.get(1).blockTimeNs()).isEqualTo(3 * SECOND_NS);
        assertThat(searched).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void shouldNotTakeAMissingOrigClOrdIdForTheOrderZero() {
        append(1, batch(1, order(5, 0, 'D'), order(0, 0, 'D')));

        search(1, 1, new OrderQuery(1, 0));

        assertThat(found.stream().map(order -> order.fields().clOrdId())).containsExactly(0L);
    }

    @Test
    void shouldPassOverBatchesThatAreNoOrders() {
        append(1, new byte[] {1, 2, 3}, new byte[200], batch(1, order(7, 0, 'D')));

        search(1, 1, new OrderQuery(1, 7));

        assertThat(found.stream().map(ArchivedOrder::place)).containsExactly(new OrderPlace(1, 2, 0));
        Block block = Block.wrap(archive.read(1).orElseThrow());
        assertThat(new BlockOrders().of(block, 0)).isEmpty();
        assertThat(new BlockOrders().isOrderBatch(block, 1)).isFalse();
    }

    @Test
    void shouldNameBlocksThatItCouldNotRead() throws IOException {
        for (int sequence = 1; sequence <= 6; sequence++) {
            append(sequence, batch(1, order(7, 0, 'D')));
        }
        archive.close();
        damage(3);
        open();

        search(1, 6, new OrderQuery(1, 7));

        assertThat(unreadable).containsExactly(3L);
        assertThat(found.stream().map(order -> order.place().sequence())).containsExactly(1L, 2L, 4L, 5L, 6L);
        assertThat(searched).hasSize(6);
    }

    @Test
    void shouldNameBlocksThatSomebodyForged() {
        append(1, batch(1, order(7, 0, 'D')));
        append(2, batch(1, order(8, 7, 'F')));
        BlockSource forged = new Forged(archive, 1);

        new OrderSearch(forged).search(1, 2, new OrderQuery(1, 7), listener());

        assertThat(unreadable).containsExactly(1L);
        assertThat(found.stream().map(order -> order.place().sequence())).containsExactly(2L);
        assertThat(new OrderSearch(forged).firstAtOrAfter(0)).isEqualTo(1);
    }

    /** An archive in which one block is bytes that are no block, with a checksum that is right. */
    private record Forged(BlockSource source, long forged) implements BlockSource {
        @Override
        public Digest genesisDigest() {
            return source.genesisDigest();
        }

        @Override
        public long firstSequence() {
            return source.firstSequence();
        }

        @Override
        public long lastSequence() {
            return source.lastSequence();
        }

        @Override
        public Optional<byte[]> read(long sequence) {
            return sequence == forged ? Optional.of(new byte[300]) : source.read(sequence);
        }

        @Override
        public Optional<BlockFacts> facts(long sequence) {
            return source.facts(sequence);
        }

        @Override
        public Optional<CheckpointCertificate> latestCertificate() {
            return source.latestCertificate();
        }

        @Override
        public Optional<CheckpointCertificate> certificateAtOrAfter(long sequence) {
            return source.certificateAtOrAfter(sequence);
        }
    }

    @Test
    void shouldFindTheFirstBlockOfATime() throws IOException {
        OrderSearch search = new OrderSearch(archive);
        assertThat(search.firstAtOrAfter(0)).isEqualTo(1);
        long[] seconds = {10, 20, 20, 20, 30, 50, 50};
        for (int i = 0; i < seconds.length; i++) {
            append(i + 1, seconds[i], batch(1, order(7, 0, 'D')));
        }

        for (long second = 0; second <= 60; second++) {
            assertThat(search.firstAtOrAfter(second * SECOND_NS))
                    .as("%d s", second)
                    .isEqualTo(first(seconds, second));
        }

        archive.close();
        damage(2);
        open();
        for (long second = 0; second <= 60; second++) {
            long expected = first(seconds, second);
            // The time of a damaged block is unknown, so that a range begins with it rather than after it.
            assertThat(new OrderSearch(archive).firstAtOrAfter(second * SECOND_NS))
                    .as("%d s", second)
                    .isIn(expected, expected == 3 ? 2L : expected);
        }
    }

    private static long first(long[] seconds, long second) {
        int i = 0;
        while (i < seconds.length && seconds[i] < second) {
            i++;
        }
        return i + 1;
    }

    private void search(long from, long to, OrderQuery query) {
        new OrderSearch(archive).search(from, to, query, listener());
    }

    private OrderSearch.Listener listener() {
        return new OrderSearch.Listener() {
            @Override
            public void onOrder(ArchivedOrder order) {
                found.add(order);
            }

            @Override
            public void onUnreadable(long sequence, String fact) {
                unreadable.add(sequence);
            }

            @Override
            public void onSearched(long sequence) {
                searched.add(sequence);
            }
        };
    }

    private void append(long sequence, byte[]... batches) {
        append(sequence, sequence, batches);
    }

    private void append(long sequence, long timeSeconds, byte[]... batches) {
        BlockBuilder builder =
                new BlockBuilder().begin(sequence, 0, timeSeconds * SECOND_NS, Digest.ZERO, archive.lastHash());
        for (byte[] batch : batches) {
            Digest id = batch.length > SignedBatch.SIGNATURE_LENGTH ? BatchId.of(batch) : Digest.ZERO;
            builder.add(id, 0, batch, 0, batch.length);
        }
        archive.append(builder.build());
    }

    /** Flips the last byte of a block of a segment. */
    private void damage(int sequence) throws IOException {
        int first = (sequence - 1) / 4 * 4 + 1;
        Path file = directory.resolve(String.format("segment-%019d.blocks", first));
        byte[] bytes = Files.readAllBytes(file);
        byte[] block;
        try (BlockArchive whole =
                BlockArchive.open(directory, new ArchiveConfig(GENESIS_DIGEST, 4, Durability.PROCESS))) {
            block = whole.read(sequence).orElseThrow();
        }
        bytes[indexOf(bytes, block) + block.length - 1] ^= 1;
        Files.write(file, bytes);
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int at = 0; at + part.length <= bytes.length; at++) {
            if (ByteBuffer.wrap(bytes, at, part.length).equals(ByteBuffer.wrap(part))) {
                return at;
            }
        }
        throw new AssertionError("the block is not in its segment");
    }

    private static byte[] batch(int brokerId, byte[]... orders) {
        ByteBuffer buffer =
                ByteBuffer.allocate(SignedBatch.signedLength(orders.length)).order(ByteOrder.LITTLE_ENDIAN);
        buffer.putShort((short) SignedBatch.ROOT_BLOCK_LENGTH)
                .putShort((short) BatchView.TEMPLATE_ID)
                .putShort((short) BatchView.SCHEMA_ID)
                .putShort((short) BatchView.SCHEMA_VERSION)
                .putLong(1)
                .putLong(2)
                .putLong(1_000)
                .putLong(3)
                .put(new byte[32])
                .putInt(brokerId)
                .putShort((short) 1)
                .putShort((short) 0)
                .putInt(1)
                .putShort((short) SignedBatch.ORDER_LENGTH)
                .putShort((short) orders.length);
        for (byte[] order : orders) {
            buffer.put(order);
        }
        return buffer.array();
    }

    private static byte[] order(long clOrdId, long origClOrdId, char action) {
        return ByteBuffer.allocate(SignedBatch.ORDER_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(clOrdId)
                .putLong(origClOrdId)
                .putLong(100)
                .putLong(5)
                .putInt(1)
                .putInt(2)
                .put((byte) action)
                .array();
    }
}
