package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The feed of blocks as a program in any language sees it. The calling thread plays the one that serves followers. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockFeedTest {
    private static final int BLOCKS = 40;
    private static final int INTERVAL = 8;
    private static final int BATCH_BYTES = 40_000;

    @TempDir
    private Path directory;

    private final Logger logger = (Logger) LoggerFactory.getLogger(Followers.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private ServedGateway gateway;
    private ManagedChannel channel;

    @BeforeEach
    void open() throws IOException {
        lines.start();
        logger.addAppender(lines);
        gateway = new ServedGateway(directory, 0, 8);
        gateway.server.start();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", gateway.server.port())
                .usePlaintext()
                .maxInboundMessageSize(1 << 20)
                .build();
        Digest previous = Digest.ZERO;
        for (int sequence = 1; sequence <= BLOCKS; sequence++) {
            Block block = block(sequence, previous);
            previous = block.hash();
            gateway.archive.append(block);
            gateway.blocks.publish(block);
            if (sequence % INTERVAL == 0) {
                gateway.archive.putCertificate(
                        new CheckpointCertificate(sequence, previous, Digest.ZERO, Digest.ZERO, List.of()));
            }
        }
    }

    @AfterEach
    void close() {
        logger.detachAppender(lines);
        channel.shutdownNow();
        gateway.close();
    }

    @Test
    void shouldSendEachCertificateAfterItsBlock() throws Exception {
        Reader reader = follow(request(1).setCertificatesAfter(INTERVAL), Integer.MAX_VALUE);

        await("all", () -> reader.count() == BLOCKS + BLOCKS / INTERVAL - 1);

        long last = 0;
        for (FeedItem item : reader.items) {
            if (item.hasBlock()) {
                assertThat(item.getBlock().getSequence()).isEqualTo(last + 1);
                last++;
            } else {
                long certified = CheckpointCertificate.decode(
                                item.getCertificate().toByteArray())
                        .sequence();
                assertThat(certified).isLessThanOrEqualTo(last).isGreaterThan(INTERVAL);
            }
        }
    }

    @Test
    void shouldSendNoBlocksToAReaderOfHeads() throws Exception {
        Reader heads = follow(request(0).setHeadsOnly(true), Integer.MAX_VALUE);
        Reader blocks = follow(request(1), Integer.MAX_VALUE);

        await("the other reader has all", () -> blocks.count() >= BLOCKS);

        assertThat(heads.items).isEmpty();
        assertThat(heads.end).isNull();
    }

    @Test
    void shouldRefuseAnotherChainAndNoBlockZero() throws Exception {
        Reader other = follow(request(1).setGenesisDigest(ByteString.copyFrom(new byte[31])), 1);
        Reader zero = follow(request(0), 1);

        await("both end", () -> other.end != null && zero.end != null);

        assertThat(other.end.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
        assertThat(zero.end.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void shouldCutAReaderThatTakesNothingAndNameTheBlockToResumeFrom() throws Exception {
        Reader slow = follow(request(1), 1);

        await("it is cut", () -> gateway.metrics.cutFollowers() == 1);
        slow.stream.request(Integer.MAX_VALUE);
        await("it hears of it", () -> slow.end != null);

        assertThat(slow.end.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(slow.end.getDescription()).startsWith("reader is too slow, resume from block ");
    }

    /** A stranger who requests a damaged block must not end the node. */
    @Test
    void shouldEndTheStreamAtADamagedBlockAndServeOthers() throws Exception {
        restartDamaged();
        Reader first = follow(request(1), Integer.MAX_VALUE);

        await("the stream ends", () -> first.end != null);
        assertThat(first.end.getCode()).isEqualTo(Status.Code.DATA_LOSS);
        Reader second = follow(request(BLOCKS), Integer.MAX_VALUE);
        await("another reader is served", () -> second.count() > 0);
    }

    @Test
    void shouldAnswerWhoAsksForAProofOfADamagedBlock() throws Exception {
        restartDamaged();
        GetInclusionProofRequest request = GetInclusionProofRequest.newBuilder()
                .setBlockSequence(1)
                .setBatchId(ByteString.copyFrom(new byte[Digest.LENGTH]))
                .build();

        assertThatThrownBy(() -> OrderGatewayGrpc.newBlockingStub(channel).getInclusionProof(request))
                .isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
                    assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.DATA_LOSS);
                    assertThat(e.getStatus().getDescription()).contains("block 1");
                });
    }

    /** The newest certificate is no gap that a repair could close yet: the next one makes it one. */
    @Test
    void shouldEndTheStreamAtADamagedCertificateAndServeOthers() throws Exception {
        flip(directory.resolve("certificates.log"), Files.size(directory.resolve("certificates.log")) - 1);
        List<Reader> readers = List.of(
                follow(request(1), Integer.MAX_VALUE),
                follow(request(BLOCKS + 1).setCertificatesAfter(BLOCKS - INTERVAL), Integer.MAX_VALUE));

        await("the streams end", () -> readers.stream().allMatch(reader -> reader.end != null));
        assertThat(readers)
                .extracting(reader -> reader.end.getCode())
                .containsExactly(Status.Code.DATA_LOSS, Status.Code.DATA_LOSS);
        assertThat(readers.get(0).items.stream().filter(FeedItem::hasBlock).count())
                .as("until the next certificate is looked for")
                .isEqualTo(BLOCKS - INTERVAL);
        assertThat(gateway.followers.count()).isZero();

        Reader other = follow(request(1).setCertificatesAfter(BLOCKS), Integer.MAX_VALUE);
        await("another reader is served", () -> other.count() == BLOCKS);
        assertThat(lines.list).as("of both readers").hasSize(1);
    }

    @Test
    void shouldReadNoMoreOfTheArchiveThanItsBudget() {
        ReadBudget budget = new ReadBudget(1_000);
        long second = 1_000_000_000L;
        assertThat(budget.isLeft(0)).isTrue();
        budget.spend(2_500);
        assertThat(budget.isLeft(1)).isFalse();
        assertThat(budget.isLeft(second)).as("500 too many").isFalse();
        assertThat(budget.isLeft(2 * second)).isTrue();
        assertThat(budget.isLeft(60 * second)).isTrue();
        budget.spend(1_000);
        assertThat(budget.isLeft(60 * second + 1)).as("nothing was saved up").isFalse();
    }

    private FollowBlocksRequest.Builder request(long first) {
        return FollowBlocksRequest.newBuilder().setFromBlock(first).setGenesisDigest(ByteString.copyFrom(new byte[32]));
    }

    private Reader follow(FollowBlocksRequest.Builder request, int itemsWanted) {
        Reader reader = new Reader(itemsWanted);
        BlockFeedGrpc.newStub(channel).followBlocks(request.build(), reader);
        return reader;
    }

    /** Waits for a fact; the calling thread plays the one that serves followers. */
    private void await(String what, BooleanSupplier condition) throws Exception {
        Facts.await(what, () -> {
            gateway.followers.doWork();
            return condition.getAsBoolean();
        });
    }

    private void restartDamaged() throws Exception {
        gateway.close();
        damage();
        gateway = new ServedGateway(directory, 0, 8);
        gateway.server.start();
        channel.shutdownNow();
        channel = NettyChannelBuilder.forAddress("127.0.0.1", gateway.server.port())
                .usePlaintext()
                .maxInboundMessageSize(1 << 20)
                .build();
    }

    private void damage() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Path first = files.filter(file -> file.toString().endsWith(".blocks"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
            flip(first, BATCH_BYTES / 2);
        }
    }

    private static void flip(Path damaged, long offset) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(damaged.toFile(), "rw")) {
            file.seek(offset);
            int before = file.read();
            file.seek(offset);
            file.write(before ^ 1);
        }
    }

    private static Block block(int sequence, Digest previous) {
        byte[] batch = new byte[BATCH_BYTES];
        batch[20] = (byte) sequence;
        return Block.wrap(new BlockBuilder()
                .begin(sequence, 0, sequence, Digest.ZERO, previous)
                .add(BatchId.of(batch), 1, batch, 0, batch.length)
                .build());
    }

    private static final class Reader implements ClientResponseObserver<FollowBlocksRequest, FeedItem> {
        private final int itemsWanted;
        final List<FeedItem> items = Collections.synchronizedList(new ArrayList<>());
        volatile Status end;
        private ClientCallStreamObserver<FollowBlocksRequest> stream;

        Reader(int itemsWanted) {
            this.itemsWanted = itemsWanted;
        }

        int count() {
            return items.size();
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<FollowBlocksRequest> stream) {
            this.stream = stream;
            stream.disableAutoRequestWithInitial(itemsWanted);
        }

        @Override
        public void onNext(FeedItem item) {
            items.add(item);
        }

        @Override
        public void onError(Throwable failure) {
            end = Status.fromThrowable(failure);
        }

        @Override
        public void onCompleted() {
            end = Status.OK;
        }
    }
}
