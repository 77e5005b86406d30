package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.BlockReceipts;
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
    /** Bytes of a batch, and blocks that a holder may leave unread: the last one exceeds its bound. */
    private static final int LARGE = 4 << 20;

    private static final int LARGE_PER_HOLDER = (int) (Followers.UNREAD_BYTES_PER_HOLDER / LARGE);
    private static final String GREEDY = "greedy";
    private static final String HONEST = "honest";

    @TempDir
    private Path directory;

    private BlockArchive archive;
    private CommittedBlocks blocks;
    private Digest previous = Digest.ZERO;
    /** Holders of the streams to which blocks went, in their order; one entry for each block. */
    private final List<String> sent = new ArrayList<>();

    private final List<Receiver> receivers = new ArrayList<>();

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

    @AfterEach
    void requireNoOtherEnd() {
        assertThat(receivers.stream().filter(each -> each.end != null && !each.isFull && each.failure == null))
                .isEmpty();
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

    /** Each stream is ready until it has the block, which waits in memory until its reader takes it. */
    @Test
    void shouldGiveTheStreamsOfAHolderSoManyUnreadBytes() {
        commit(1, LARGE);
        List<Receiver> greedy = followUnread(GREEDY, STREAMS);
        Receiver honest = follow(HONEST, 1);

        pass();
        assertThat(served(greedy)).isEqualTo(LARGE_PER_HOLDER);
        assertThat(honest.blocks).isOne();

        Receiver reads = greedy.getFirst();
        reads.isReady = true;
        pass();
        assertThat(served(greedy)).as("one was read").isEqualTo(LARGE_PER_HOLDER + 1);

        reads.isCancelled = true;
        greedy.get(1).isCancelled = true;
        pass();
        assertThat(served(greedy)).as("one has left").isEqualTo(LARGE_PER_HOLDER + 2);
        assertThat(followers.count()).isEqualTo(STREAMS - 1);
    }

    /** gRPC keeps what a stream was given until the reader takes it, or the call is reset. */
    @Test
    void shouldCountWhatAnEndedStreamWasGivenUntilItIsClosed() {
        followers = new Followers(blocks, () -> {}, new ReadBudget(Long.MAX_VALUE / 2), 0);
        commit(1, LARGE);
        List<Receiver> greedy = followUnread(GREEDY, STREAMS);
        pass();
        commit(1, LARGE);

        pass();
        List<Receiver> cut = greedy.stream().filter(each -> each.end != null).toList();
        assertThat(cut).as("they take nothing").hasSize(LARGE_PER_HOLDER);
        assertThat(served(greedy)).isEqualTo(LARGE_PER_HOLDER);

        cut.getFirst().onClosed.run();
        pass();
        assertThat(served(greedy)).isEqualTo(LARGE_PER_HOLDER + 1);
    }

    @Test
    void shouldGiveEveryHolderABlockWhenOthersHaveFilledTheTotal() {
        commit(1, LARGE);
        int holders = 10;
        List<List<Receiver>> streams = new ArrayList<>();
        for (int i = 0; i < holders; i++) {
            streams.add(followUnread("holder " + i, STREAMS));
        }

        pass();

        int full = (int) (Followers.UNREAD_BYTES_MAX / Followers.UNREAD_BYTES_PER_HOLDER);
        assertThat(streams.subList(0, full)).allMatch(each -> served(each) == LARGE_PER_HOLDER);
        assertThat(streams.subList(full, holders)).allMatch(each -> served(each) == 1);
    }

    /** Of streams that were cut, too, gRPC keeps what they were given. */
    @Test
    void shouldServeReceiptsWhenBlocksHaveFilledTheTotal() {
        followers = new Followers(blocks, () -> {}, new ReadBudget(Long.MAX_VALUE / 2), 0);
        commit(1, LARGE);
        int full = (int) (Followers.UNREAD_BYTES_MAX / Followers.UNREAD_BYTES_PER_HOLDER);
        for (int i = 0; i < full; i++) {
            followUnread("holder " + i, LARGE_PER_HOLDER);
        }
        pass();
        followUnread(HONEST, 1);
        ReceiptFollower receipts = new ReceiptFollower(0, 1, 1, new Receipts());
        followers.add(HONEST, receipts);
        pass();
        assertThat(receivers).allMatch(each -> each.blocks == 1);

        commit(10, 1_000);
        pass();

        assertThat(receivers).as("they are cut").allMatch(each -> each.end != null);
        assertThat(followers.unreadBytes()).isGreaterThan(Followers.UNREAD_BYTES_MAX);
        assertThat(receipts.nextSequence()).isEqualTo(12);
    }

    /** There is room for half of them each time when they have read. Those that are left out are served in turn. */
    @Test
    void shouldKeepNoStreamOfAHolderFromItsBlocks() {
        List<Receiver> streams = followUnread(GREEDY, 2 * LARGE_PER_HOLDER);

        for (int i = 0; i < 3 * LARGE_PER_HOLDER; i++) {
            commit(1, LARGE);
            pass();
            streams.forEach(each -> each.isReady = true);
        }

        assertThat(streams).extracting(each -> each.blocks).allMatch(count -> count >= 2);
    }

    @Test
    void shouldEndOnlyTheStreamForWhichThereIsNoMemory() {
        commit(1, LARGE);
        Receiver failing = follow(GREEDY, 1);
        failing.failure = new OutOfMemoryError("Cannot reserve 1048576 bytes of direct buffer memory");
        Receiver ended = follow(GREEDY, 1);
        ended.failure = failing.failure;
        ended.isEndedByItself = true;
        Receiver honest = follow(HONEST, 1);

        pass();

        assertThat(Status.fromThrowable(failing.end).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(honest.blocks).isOne();
        assertThat(followers.count()).isOne();
    }

    private List<Receiver> followUnread(String holder, int count) {
        List<Receiver> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Receiver receiver = follow(holder, 1);
            receiver.isFull = true;
            streams.add(receiver);
        }
        return streams;
    }

    private void pass() {
        while (followers.doWork() > 0) {
            // Nothing is left then that a pass could do.
        }
    }

    private static int served(List<Receiver> streams) {
        return (int) streams.stream().filter(each -> each.blocks > 0).count();
    }

    private Receiver follow(String holder, long first) {
        Receiver receiver = new Receiver(holder, first);
        receivers.add(receiver);
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
    private final class Receiver extends FakeStream<BlockData> {
        private final String holder;
        private long next;
        /** Whether it takes nothing after a block. */
        private boolean isFull;
        /** Thrown in place of taking a block. */
        private Error failure;
        /** Whether it has ended when it throws, as gRPC does. */
        private boolean isEndedByItself;

        private int blocks;

        Receiver(String holder, long first) {
            this.holder = holder;
            this.next = first;
        }

        @Override
        public void onNext(BlockData block) {
            if (failure != null) {
                throw failure;
            }
            assertThat(block.getSequence()).isEqualTo(next++);
            blocks++;
            sent.add(holder);
            isReady = !isFull;
        }

        @Override
        public void onError(Throwable reason) {
            if (isEndedByItself) {
                throw new IllegalStateException("call already closed");
            }
            super.onError(reason);
        }
    }

    /** A stream of receipts that takes everything. */
    private static final class Receipts extends FakeStream<BlockReceipts> {
        @Override
        public void onNext(BlockReceipts receipts) {
            // Where it is, its follower knows.
        }
    }
}
