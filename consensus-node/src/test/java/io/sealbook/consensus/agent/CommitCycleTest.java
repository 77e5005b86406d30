package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.commit.CommitContext;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.payload.BlockBatches;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.BlockTimes;
import io.sealbook.node.port.CheckedBlocks;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.ReceivedBlocks;
import io.sealbook.node.repair.ArchiveRepair;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.node.transfer.StateTransfer;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Timer;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the committer makes of proposals, on a real archive and a real queue. A cycle that waits would wait for ever:
 * hence the limit.
 */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class CommitCycleTest {
    private static final Digest GENESIS = Digest.sha256(new byte[0]);
    private static final int LOG_WINDOW = 64;
    private static final int INTERVAL = 16;

    private record Request(int to, long from, int count) {}

    @TempDir
    private Path directory;

    private final Queue<Request> requests = new ArrayDeque<>();
    private final Queue<ReceivedBlocks> received = new ArrayDeque<>();
    private AgentInbox inbox;
    private BlockArchive archive;
    private SessionHeads heads;
    private BlockQueue queue;
    private PayloadStore payloads;
    private NodeState state;
    private CommittedBlocks blocks;
    private static final BlockTimes TIMES = new BlockTimes(BlockTimes.UNKNOWN, BlockTimes.UNKNOWN, 0);

    private final HeaderDecoding decoding = new HeaderDecoding(HeaderDecoding.Policy.ONCE, count -> {});
    private CommitQueue commits;
    private CommitCycle committer;

    @BeforeEach
    void open() {
        archive = BlockArchive.open(directory.resolve("archive"), new ArchiveConfig(GENESIS, 64, Durability.PROCESS));
        heads = SessionHeads.open(FileStorage.open(directory.resolve("session-heads")));
        queue = new BlockQueue(directory.resolve("queue"), Durability.PROCESS);
        payloads = new PayloadStore(1 << 20, 4, 0);
        inbox = new AgentInbox();
        state = new NodeState(GENESIS);
        archive.read(archive.lastSequence())
                .map(Block::wrap)
                .ifPresent(last -> state.lastBlock(NodeState.LastBlock.of(last)));
        NodeMetrics metrics = new NodeMetrics(new SimpleMeterRegistry(), state);
        EventRecorder events = new EventRecorder(metrics);
        blocks = new CommittedBlocks(archive, decoding, 1);
        CommitContext context = new CommitContext(
                archive,
                queue,
                blocks,
                decoding,
                new ChainMembership(Genesis.getDefaultInstance(), fate -> {}),
                payloads,
                new Sessions(),
                heads,
                certificate -> {},
                inbox::offer,
                state,
                events,
                Durability.PROCESS);
        StateTransfer transfer = new StateTransfer(
                peers(),
                null,
                (answer, membership) -> received.add(answer),
                StateTransfer.Limits.of(INTERVAL, 8 * INTERVAL),
                events);
        commits = new CommitQueue(LOG_WINDOW);
        ArchiveRepair repair = new ArchiveRepair(archive.health(), peers(), answer -> {}, 2, events);
        committer = new CommitCycle(new Committer(context, transfer, repair), commits, metrics);
    }

    private CheckedBlocks checked(ReceivedBlocks answer) {
        return new CheckedBlocks(
                answer, "", answer.blocks().stream().map(decoding::fromArchive).toList());
    }

    private BlockRequests peers() {
        return new BlockRequests() {
            @Override
            public void requestBlocks(int to, long from, int count) {
                requests.add(new Request(to, from, count));
            }

            @Override
            public Set<Integer> connected() {
                return Set.of(1, 2, 3);
            }
        };
    }

    @AfterEach
    void close() {
        queue.close();
        archive.close();
        heads.close();
    }

    @Test
    void shouldAppendBlocksInTheirOrderOverARestart() {
        Payload first = admit(1);
        deliver(1, first);
        close();

        open();
        Payload second = admit(2);
        deliver(2, second);

        assertThat(batches(1)).containsExactly(first.signedBatch());
        assertThat(batches(2)).containsExactly(second.signedBatch());
        assertThat(queue.lastSequence()).isEqualTo(2);
    }

    @Test
    void shouldNameTheLastAdministrationBlockOverARestart() {
        deliver(1, admit(1));
        deliver(2, admitted(administrative(1)));
        deliver(3, admit(2));
        close();

        open();
        deliver(4, admit(3));
        deliver(5, admitted(administrative(2)));
        close();

        open();
        deliver(6, admit(4));

        assertThat(LongStream.rangeClosed(1, 6)
                        .mapToObj(sequence -> Block.wrap(archive.read(sequence).orElseThrow())
                                .header()
                                .administrationBlock()))
                .containsExactly(0L, 0L, 2L, 2L, 2L, 5L);
    }

    @Test
    void shouldStopAtABatchThatABlockHoldsAlready() {
        Payload twice = admit(1);
        deliver(1, twice);

        assertThatThrownBy(() -> deliver(2, twice))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("without payload");
        assertThat(archive.lastSequence()).isEqualTo(1);
    }

    @Test
    void shouldStopAtAProposalThatContinuesAnotherChain() {
        deliver(1, admit(1));
        Payload next = admit(2);
        Proposal proposal = new Proposal(0, 2, 2, Digest.ZERO, List.of(end(next)));
        commits.offer(new CommitTask.Deliver(proposal, List.of(next), TIMES));

        assertThatThrownBy(committer::doWork)
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("delivered after proposal");
        assertThat(archive.lastSequence()).isEqualTo(1);
    }

    @Test
    void shouldStopAtABatchThatIsNowhere() {
        Payload nowhere = payload(1);

        assertThatThrownBy(() -> deliver(1, nowhere))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("without payload");
    }

    @Test
    void shouldNotWaitForAnAgentWithoutRoomAndLoseNothing() {
        List<Block> chain = chain(2 * INTERVAL);
        int filled = 0;
        while (inbox.offer(new Input.TimerFired(Timer.STATUS))) {
            filled++;
        }
        transfer(chain.subList(0, INTERVAL));
        transfer(chain.subList(0, 2 * INTERVAL));
        committer.doWork();
        assertThat(archive.lastSequence()).as("what cannot be told waits").isLessThan(INTERVAL);
        assertThat(committer.idleNs()).isPositive().isLessThan(1_000_000);

        List<Input> told = new ArrayList<>();
        assertThat(agentReads(told, filled)).isEqualTo(filled);
        committer.doWork();
        while (commits.depth() > 0) {
            committer.doWork();
        }
        agentReads(told, Integer.MAX_VALUE);

        assertThat(archive.lastSequence()).isEqualTo(2 * INTERVAL);
        told.removeIf(Input.TimerFired.class::isInstance);
        assertThat(told.stream().filter(Input.BlockTransferred.class::isInstance))
                .extracting(input -> ((Input.BlockTransferred) input).sequence())
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, 2 * INTERVAL).boxed().toList());
        assertThat(told.getLast()).isInstanceOf(Input.StateTransferred.class);
        assertThat(((Input.StateTransferred) told.getLast()).sequence()).isEqualTo(2 * INTERVAL);
    }

    @Test
    void shouldAdoptNoBlockAfterTheOneAtWhichTheNodeStops() {
        stopAt(3);

        transfer(chain(INTERVAL));

        assertThat(archive.lastSequence()).isEqualTo(3);
        assertThat(queue.lastSequence()).isEqualTo(3);
        assertThat(committer.hasWork()).isFalse();
    }

    @Test
    void shouldCommitNoBlockAfterTheOneAtWhichTheNodeStops() {
        stopAt(2);
        Digest previous = state.lastBlock().proposalDigest();
        for (int sequence = 1; sequence <= 4; sequence++) {
            Payload batch = admit(sequence);
            Proposal proposal = new Proposal(0, sequence, sequence, previous, List.of(end(batch)));
            commits.offer(new CommitTask.Deliver(proposal, List.of(batch), TIMES));
            previous = proposal.digest();
        }

        assertThat(committer.doWork()).isEqualTo(2);

        assertThat(archive.lastSequence()).isEqualTo(2);
        assertThat(committer.hasWork()).isFalse();
    }

    private void stopAt(long sequence) {
        NodeThreads threads = new NodeThreads(0, inbox, commits, failure -> {}, Optional.empty());
        blocks.onCommitted(() -> {
            if (blocks.lastSequence() == sequence) {
                threads.stop();
            }
        });
    }

    /** Asks for a transfer to the end of the blocks and answers every request. */
    private void transfer(List<Block> blocks) {
        Block last = blocks.getLast();
        commits.offer(new CommitTask.Transfer(
                new StableCertificate(last.header().sequence(), last.hash(), Digest.ZERO, Digest.ZERO, List.of())));
        committer.doWork();
        while (!requests.isEmpty()) {
            Request request = requests.remove();
            int from = (int) request.from() - 1;
            List<byte[]> answer = blocks.subList(from, from + request.count()).stream()
                    .map(Block::bytes)
                    .toList();
            commits.offer(new CommitTask.BlocksReceived(request.to(), request.from(), answer, null));
            committer.doWork();
            while (!received.isEmpty()) {
                commits.offer(new CommitTask.BlocksChecked(checked(received.remove())));
                committer.doWork();
            }
        }
    }

    private int agentReads(List<Input> told, int limit) {
        return inbox.drain(told::add, limit);
    }

    private static List<Block> chain(int length) {
        List<Block> chain = new ArrayList<>();
        Digest previous = GENESIS;
        for (int i = 1; i <= length; i++) {
            Payload batch = payload(i);
            byte[] signed = batch.signedBatch();
            Block block = Block.wrap(new BlockBuilder()
                    .begin(i, 0, i, Digest.ZERO, previous)
                    .add(batch.batchId(), 1, signed, 0, signed.length)
                    .build());
            chain.add(block);
            previous = block.hash();
        }
        return chain;
    }

    private void deliver(long sequence, Payload... batches) {
        List<SessionEnd> ends = Arrays.stream(batches).map(CommitCycleTest::end).toList();
        List<BatchRange> ranges = Arrays.stream(batches)
                .map(batch -> new BatchRange(
                        end(batch), batch.number() - 1, batch.position().previous()))
                .toList();
        Proposal proposal =
                new Proposal(0, sequence, sequence, state.lastBlock().proposalDigest(), ends);
        commits.offer(new CommitTask.Deliver(proposal, BlockBatches.of(proposal, ranges, false, payloads), TIMES));
        committer.doWork();
    }

    private static SessionEnd end(Payload batch) {
        return new SessionEnd(batch.sessionKey(), batch.number(), batch.batchId());
    }

    private List<byte[]> batches(long sequence) {
        Block block = Block.wrap(archive.read(sequence).orElseThrow());
        return IntStream.range(0, block.batchCount())
                .mapToObj(i -> Arrays.copyOfRange(
                        block.array(), block.batchOffset(i), block.batchOffset(i) + block.batchLength(i)))
                .toList();
    }

    private Payload admit(int number) {
        return admitted(payload(number));
    }

    private Payload admitted(Payload payload) {
        payloads.put(payload);
        return payload;
    }

    /** Returns a batch whose transaction is refused: what it changes is of no account here. */
    private static Payload administrative(int number) {
        BatchPosition position = new BatchPosition(2, number, Digest.ZERO);
        byte[] signed = AdministrativeBatch.unsigned(1, position, 1, 0, new byte[] {1});
        return new Payload(
                BatchId.of(signed), signed, SessionKey.ADMINISTRATION, position, Long.MAX_VALUE, 0, 0, number, 0);
    }

    private static Payload payload(int number) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        UnsafeBuffer buffer = new UnsafeBuffer(signed);
        new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .number(number)
                .validUntilBlock(1_000)
                .brokerId(1);
        Digest id = Digest.sha256(Arrays.copyOf(signed, SignedBatch.batchLength(1)));
        return new Payload(id, signed, 1, new BatchPosition(0, number, Digest.ZERO), 1_000, 1, 0, number, 0);
    }
}
