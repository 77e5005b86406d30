package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.Durability;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.commit.BlockBatches;
import io.sealbook.node.commit.CommitContext;
import io.sealbook.node.commit.CommitTask;
import io.sealbook.node.commit.CommittedBlocks;
import io.sealbook.node.commit.Committer;
import io.sealbook.node.payload.NonceWindow;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.status.NodeState;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.node.transfer.StateTransfer;
import io.sealbook.pbft.Proposal;
import io.sealbook.pbft.ProposedBatch;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the committer makes of proposals, on a real archive and a real queue. */
class CommitCycleTest {
    private static final byte[] GENESIS = Digest.sha256(new byte[0]).bytes();
    private static final int LOG_WINDOW = 64;

    @TempDir
    private Path directory;

    private BlockArchive archive;
    private BlockQueue queue;
    private PayloadStore payloads;
    private NodeState state;
    private CommitCycle committer;

    @BeforeEach
    void open() {
        archive = BlockArchive.open(directory.resolve("archive"), new ArchiveConfig(GENESIS, 64, Durability.PROCESS));
        queue = new BlockQueue(directory.resolve("queue"), false);
        payloads = new PayloadStore(1 << 20, 4, 0);
        state = new NodeState(GENESIS);
        archive.read(archive.lastSequence())
                .map(Block::wrap)
                .ifPresent(last -> state.lastBlock(new NodeState.LastBlock(
                        last.header().sequence(), last.header().blockTimeNs(), last.hash())));
        committer = new CommitCycle(
                new Committer(
                        new CommitContext(
                                archive,
                                queue,
                                new CommittedBlocks(archive),
                                payloads,
                                new NonceWindow(1_024),
                                new AgentInbox()::put,
                                state,
                                new NodeMetrics(new SimpleMeterRegistry(), state),
                                false),
                        new StateTransfer(nobody(), null, received -> {}, 4),
                        LOG_WINDOW),
                LOG_WINDOW);
    }

    private static BlockRequests nobody() {
        return new BlockRequests() {
            @Override
            public void requestBlocks(int to, long from, int count) {
                throw new AssertionError("asked node " + to);
            }

            @Override
            public Set<Integer> connected() {
                return Set.of();
            }
        };
    }

    @AfterEach
    void close() {
        queue.close();
        archive.close();
    }

    @Test
    void shouldTakeABatchThatAnEarlierBlockHoldsFromThere() {
        Payload twice = admit(1);
        deliver(1, twice);
        deliver(2, admit(2), twice);

        assertThat(batches(1)).containsExactly(twice.signedBatch());
        assertThat(batches(2)).hasSize(2).contains(twice.signedBatch());
        assertThat(queue.lastSequence()).isEqualTo(2);
    }

    @Test
    void shouldFindSuchABatchAfterARestartToo() {
        Payload twice = admit(1);
        deliver(1, twice);
        deliver(2, admit(2));
        close();

        open();
        deliver(3, twice);

        assertThat(batches(3)).containsExactly(twice.signedBatch());
    }

    @Test
    void shouldStopAtABatchThatIsNowhere() {
        Payload nowhere = payload(1);

        assertThatThrownBy(() -> deliver(1, nowhere))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without payload");
    }

    @Test
    void shouldNotLookBelowTheWindowOfAgreementForABatchThatIsNotIndexed() {
        Payload old = admit(1);
        deliver(1, old);
        for (int i = 2; i <= LOG_WINDOW + 1; i++) {
            deliver(i, admit(i));
        }
        close();

        open();

        assertThatThrownBy(() -> deliver(LOG_WINDOW + 2, old)).hasMessageContaining("without payload");
    }

    private void deliver(long sequence, Payload... batches) {
        List<ProposedBatch> proposed = Arrays.stream(batches)
                .map(batch -> new ProposedBatch(batch.batchId(), batch.arrivalTimeNs()))
                .toList();
        committer.offer(new CommitTask.Deliver(new Proposal(0, sequence, sequence, proposed)));
        committer.doWork();
    }

    private List<byte[]> batches(long sequence) {
        Block block = Block.wrap(archive.read(sequence).orElseThrow());
        return BlockBatches.of(block).stream()
                .map(batch -> Arrays.copyOfRange(block.array(), batch.offset(), batch.offset() + batch.length()))
                .toList();
    }

    private Payload admit(int number) {
        Payload payload = payload(number);
        payloads.put(payload);
        return payload;
    }

    private static Payload payload(int number) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        UnsafeBuffer buffer = new UnsafeBuffer(signed);
        new OrderBatchEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .nonce(number)
                .validUntilBlock(1_000)
                .brokerId(1);
        Digest id = Digest.sha256(Arrays.copyOf(signed, SignedBatch.batchLength(1)));
        return new Payload(id, signed, 1, number, 1_000, 1, 0, number, 0);
    }
}
