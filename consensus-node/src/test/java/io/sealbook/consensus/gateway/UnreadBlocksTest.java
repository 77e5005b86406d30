package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A caller that opens streams of a large block and gives no window for it, at a real port. The calling thread plays the
 * one that serves followers.
 */
@Timeout(300)
class UnreadBlocksTest {
    private static final int BATCH_BYTES = 4 << 20;
    private static final int STREAMS = 24;

    @TempDir
    private Path directory;

    private ServedGateway gateway;
    private ManagedChannel channel;
    private int blockLength;

    @BeforeEach
    void start() throws Exception {
        gateway = new ServedGateway(directory, 0, 8);
        gateway.server.start();
        channel = gateway.channelFrom("127.0.0.1")
                .maxInboundMessageSize(2 * BATCH_BYTES)
                .build();
        byte[] batch = new byte[BATCH_BYTES];
        Block block = Block.wrap(new BlockBuilder()
                .begin(1, 0, 1, Digest.ZERO, Digest.ZERO)
                .add(BatchId.of(batch), 1, batch, 0, batch.length)
                .build());
        blockLength = block.length();
        gateway.archive.append(block);
        gateway.blocks.publish(block);
    }

    @AfterEach
    void close() {
        channel.shutdownNow();
        gateway.close();
    }

    @Test
    void shouldLetSoManyBytesWaitAndServeAllThatReadInTheEnd() throws Exception {
        List<Reader> readers = open();
        for (Reader reader : readers) {
            assertBounded();
            reader.stream.request(1);
        }

        await("each has its block", () -> readers.stream().allMatch(reader -> reader.blocks == 1));
        await("nothing waits", () -> gateway.followers.unreadBytes() == 0);
        assertThat(readers).allMatch(reader -> reader.end == null);
    }

    @Test
    void shouldReleaseWhatWaitedForACallerThatLeaves() throws Exception {
        List<Reader> readers = open();
        assertBounded();

        readers.forEach(reader -> reader.stream.cancel("the test has seen enough", null));

        await("nothing waits", () -> gateway.followers.count() == 0 && gateway.followers.unreadBytes() == 0);
    }

    /** Returns streams of which all that may be given a block have it. */
    private List<Reader> open() throws Exception {
        List<Reader> readers = Stream.generate(this::getBlocks).limit(STREAMS).toList();
        await("all are open", () -> gateway.followers.count() == STREAMS);
        await(
                "so many bytes wait",
                () -> gateway.followers.unreadBytes() >= Followers.UNREAD_BYTES_PER_HOLDER - blockLength);
        return readers;
    }

    private void assertBounded() {
        while (gateway.followers.doWork() > 0) {
            // Nothing is left then that a pass could do.
        }
        assertThat(gateway.followers.unreadBytes()).isLessThan(Followers.UNREAD_BYTES_PER_HOLDER + blockLength);
    }

    private void await(String what, BooleanSupplier condition) throws Exception {
        Facts.await(what, () -> {
            gateway.followers.doWork();
            return condition.getAsBoolean();
        });
    }

    private Reader getBlocks() {
        Reader reader = new Reader();
        OrderGatewayGrpc.newStub(channel)
                .getBlocks(GetBlocksRequest.newBuilder().setFromSequence(1).build(), reader);
        return reader;
    }

    /** Takes nothing before it is told to. */
    private static final class Reader implements ClientResponseObserver<GetBlocksRequest, BlockData> {
        private ClientCallStreamObserver<GetBlocksRequest> stream;
        private volatile int blocks;
        private volatile Status end;

        @Override
        public void beforeStart(ClientCallStreamObserver<GetBlocksRequest> call) {
            stream = call;
            call.disableAutoRequestWithInitial(0);
        }

        @Override
        public void onNext(BlockData block) {
            blocks++;
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
