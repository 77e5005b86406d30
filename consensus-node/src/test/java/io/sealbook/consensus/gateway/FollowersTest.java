package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.ServerCallStreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker that follows old receipts on many streams, beside others. The calling thread plays the one that serves
 * followers, a pass at a time; streams take everything.
 */
class FollowersTest {
    private static final int STREAMS = 128;
    private static final String GREEDY = "greedy";
    private static final String HONEST = "honest";

    @TempDir
    private Path directory;

    private BlockArchive archive;
    private CommittedBlocks blocks;
    private Digest previous = Digest.ZERO;
    /** Holders of the streams to which blocks went, in their order; one entry for each block. */
    private final List<String> sent = new ArrayList<>();

    private Followers followers;

    @BeforeEach
    void open() {
        archive = BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, 1_024, Durability.PROCESS));
        HeaderDecoding decoding = new HeaderDecoding(HeaderDecoding.Policy.ONCE, headers -> {});
        blocks = new CommittedBlocks(archive, decoding, 1);
        followers = new Followers(blocks, () -> {}, new ReadBudget(Long.MAX_VALUE / 2), 1_000);
    }

    @AfterEach
    void close() {
        archive.close();
    }

    @Test
    void shouldSendANewBlockBeforeOldOnes() {
        commit(200, 100);
        follow(HONEST, 201);
        for (int i = 0; i < STREAMS; i++) {
            follow(GREEDY, 1);
        }
        followers.doWork();
        sent.clear();

        commit(1, 100);
        followers.doWork();

        assertThat(sent).as("a pass begins with it").startsWith(HONEST);
        assertThat(sent).as("and ends soon").hasSizeLessThanOrEqualTo(1 + Followers.ARCHIVE_BLOCKS_PER_PASS);
    }

    @Test
    void shouldReadOldBlocksForOneBrokerAsOftenAsForTheOther() {
        commit(200, 100);
        follow(HONEST, 1);
        for (int i = 0; i < STREAMS; i++) {
            follow(GREEDY, 1);
        }

        while (sent.stream().filter(HONEST::equals).count() < 100) {
            assertThat(followers.doWork()).isPositive();
        }

        assertThat(sent.stream().filter(GREEDY::equals).count())
                .isLessThanOrEqualTo(100 + Followers.ARCHIVE_BLOCKS_PER_PASS);
    }

    @Test
    void shouldServeAllStreamsOfABrokerAlike() {
        commit(200, 100);
        List<Receiver> streams = List.of(follow(GREEDY, 1), follow(GREEDY, 1), follow(GREEDY, 1));

        followers.doWork();
        followers.doWork();

        assertThat(streams).allSatisfy(stream -> assertThat(stream.blocks).isBetween(10, 11));
    }

    /** Each pass has room for fewer large blocks than there are brokers. */
    @Test
    void shouldGoOnWhereTheLastPassEnded() {
        int length = Followers.ARCHIVE_BYTES_PER_PASS / 2 + 1;
        commit(30, length);
        for (String holder : List.of("a", "b", "c", "d")) {
            follow(holder, 1);
        }

        followers.doWork();
        assertThat(sent).containsExactly("a", "b");
        followers.doWork();
        assertThat(sent).containsExactly("a", "b", "c", "d");
        followers.doWork();

        assertThat(sent).containsExactly("a", "b", "c", "d", "a", "b");
    }

    @Test
    void shouldGoOnWithTheNextBrokerWhenTheBudgetReturns() {
        commit(200, 1_000);
        followers = new Followers(blocks, () -> {}, new ReadBudget(1), 1_000);
        follow("a", 1);
        follow("b", 1);

        followers.doWork();
        followers.doWork();

        assertThat(sent).as("one block exceeds the budget of many seconds").containsExactly("a");
    }

    @Test
    void shouldTellHowManyWaitForTheArchiveAndWhatItGave() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        commit(200, 1_000);
        int length = blocks.decodedBlock(1).orElseThrow().block().length();
        followers = new Followers(blocks, () -> {}, new ReadBudget(2L * length), 1_000);
        ArchiveReadMeters.register(registry, "test.", "receipts", followers);
        assertThat(readings(registry)).containsExactly(0.0, 0.0, 0.0);
        follow(GREEDY, 1);
        Receiver left = follow(HONEST, 1);
        follow("current", 201);

        followers.doWork();

        assertThat(readings(registry)).containsExactly(2.0, 2.0 * length, 1.0);
        left.isCancelled = true;
        followers.doWork();
        assertThat(readings(registry).getFirst()).isEqualTo(1.0);
    }

    private static List<Double> readings(SimpleMeterRegistry registry) {
        return List.of(
                registry.get("test.archive.readers")
                        .tag("streams", "receipts")
                        .gauge()
                        .value(),
                registry.get("test.archive.read.bytes").functionCounter().count(),
                registry.get("test.archive.throttled.seconds").functionCounter().count());
    }

    /** The next turn may be minutes away, and its place at the port is free for the next reader. */
    @Test
    void shouldForgetAReaderThatLeavesWhileItWaitsForItsTurn() {
        commit(200, 1_000);
        followers = new Followers(blocks, () -> {}, new ReadBudget(1), 1_000);
        Receiver stays = follow(HONEST, 1);
        Receiver left = follow(GREEDY, 1);
        followers.doWork();
        assertThat(followers.count()).isEqualTo(2);

        left.isCancelled = true;
        followers.doWork();

        assertThat(followers.count()).isEqualTo(1);
        assertThat(left.blocks).isZero();
        assertThat(stays.blocks).isEqualTo(1);
    }

    /** From far behind to the newest block, which others get meanwhile. */
    @Test
    void shouldSendEachBlockOnceAndInOrder() {
        commit(200, 100);
        Receiver behind = follow(GREEDY, 1);

        for (int i = 0; i < 100; i++) {
            commit(1, 100);
            followers.doWork();
            behind.isReady = i % 3 != 0;
        }
        behind.isReady = true;
        while (behind.blocks < 300) {
            assertThat(followers.doWork()).isPositive();
        }

        assertThat(followers.doWork()).as("nothing is left").isZero();
    }

    private Receiver follow(String holder, long first) {
        Receiver receiver = new Receiver(holder, first);
        followers.add(holder, new BlockFollower(first, 0, receiver));
        return receiver;
    }

    private void commit(int count, int batchLength) {
        for (int i = 0; i < count; i++) {
            byte[] batch = new byte[batchLength];
            long sequence = archive.lastSequence() + 1;
            Block block = Block.wrap(new BlockBuilder()
                    .begin(sequence, 0, sequence, Digest.ZERO, previous)
                    .add(BatchId.of(batch), 1, batch, 0, batch.length)
                    .build());
            previous = block.hash();
            archive.append(block);
            blocks.publish(block);
        }
    }

    /** The stream of a holder. */
    private final class Receiver extends ServerCallStreamObserver<BlockData> {
        private final String holder;
        private long next;
        private boolean isReady = true;
        private boolean isCancelled;
        private int blocks;

        Receiver(String holder, long first) {
            this.holder = holder;
            this.next = first;
        }

        @Override
        public void onNext(BlockData block) {
            assertThat(block.getSequence()).isEqualTo(next++);
            blocks++;
            sent.add(holder);
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onCompleted() {
            throw new AssertionError("blocks have no end");
        }

        @Override
        public boolean isReady() {
            return isReady;
        }

        @Override
        public boolean isCancelled() {
            return isCancelled;
        }

        @Override
        public void setOnCancelHandler(Runnable handler) {
            // Passes look themselves.
        }

        @Override
        public void setOnReadyHandler(Runnable handler) {
            // Passes look themselves.
        }

        @Override
        public void setCompression(String compression) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void disableAutoInboundFlowControl() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void request(int count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setMessageCompression(boolean enable) {
            throw new UnsupportedOperationException();
        }
    }
}
