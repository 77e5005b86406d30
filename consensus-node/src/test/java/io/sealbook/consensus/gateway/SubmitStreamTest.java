package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.stub.StreamObserver;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.protocol.v1.SubmitTransactionRequest;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How many unanswered batches one stream may have; nothing is answered before the ring is started. */
@Timeout(300)
class SubmitStreamTest {
    private static final int IN_FLIGHT_MAX = 64;
    /** Together they want more than all the room. */
    private static final int GREEDY_STREAMS = 6;

    private static final int PER_MESSAGE = SubmitStream.REQUESTS_PER_MESSAGE_MAX;

    private final Queue<SubmitReply> replies = new ConcurrentLinkedQueue<>();
    private ServedGateway gateway;
    private ManagedChannel channel;
    private StreamObserver<SubmitRequests> requests;
    private long sent;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() throws Exception {
        open(IN_FLIGHT_MAX);
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        gateway.close();
    }

    @Test
    void shouldLeaveBatchesBeyondTheLimitOnTheWireUntilAnswersMakeRoom() throws Exception {
        for (int i = 0; i < 20; i++) {
            send(PER_MESSAGE);
        }
        awaitArrival();
        assertThat(gateway.ingress.depth()).isEqualTo(IN_FLIGHT_MAX);
        assertThat(replies).isEmpty();

        gateway.ingress.start();

        awaitAnswers();
    }

    @Test
    void shouldTakeEachMessageForAFullOne() throws Exception {
        for (int i = 0; i < 200; i++) {
            send(1);
        }
        awaitArrival();
        assertThat(gateway.ingress.depth()).isBetween((long) IN_FLIGHT_MAX - PER_MESSAGE + 1, (long) IN_FLIGHT_MAX);

        gateway.ingress.start();

        awaitAnswers();
    }

    @Test
    void shouldMakeRoomByRefusals() throws Exception {
        gateway.state.stopping("by a test");

        for (int i = 0; i < 20; i++) {
            send(PER_MESSAGE);
        }

        awaitAnswers();
        assertThat(gateway.metrics.refusals(RefusalReason.NOT_READY)).isEqualTo(sent);
    }

    /** What waits for admission is counted in batches, so that their length must be bounded. */
    @Test
    void shouldRefuseWhatIsLongerThanAnyBatchBeforeItWaits() throws Exception {
        int longest = SignedBatch.signedLength(SignedBatch.ORDER_COUNT_LIMIT);
        for (int length : new int[] {longest, longest + 1, 800_000}) {
            requests.onNext(SubmitRequests.newBuilder()
                    .addRequests(SubmitRequest.newBuilder().setSignedBatch(ByteString.copyFrom(new byte[length])))
                    .build());
        }

        Facts.await("two are refused", () -> gateway.metrics.refusals(RefusalReason.OVERSIZE_BATCH) == 2);
        assertThat(gateway.ingress.depth()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatIsLongerThanAnyTransactionBeforeItWaits() {
        byte[] batch = AdministrativeBatch.unsigned(
                1,
                BatchPosition.first(0),
                SignatureScheme.SM2_SM3.code(),
                1,
                new byte[AdministrativeBatch.TRANSACTION_LENGTH_MAX]);
        byte[] longer = Arrays.copyOf(batch, batch.length + 1);

        SubmitReply reply = OrderGatewayGrpc.newBlockingStub(channel)
                .submitTransaction(SubmitTransactionRequest.newBuilder()
                        .setSignedBatch(ByteString.copyFrom(longer))
                        .build());

        assertThat(reply.getReason()).isEqualTo(RefusalReason.OVERSIZE_BATCH);
        assertThat(gateway.ingress.depth()).isZero();
    }

    @Test
    void shouldTakeOneMessageHoweverSmallTheLimit() throws Exception {
        stop();
        open(1);
        for (int i = 0; i < 20; i++) {
            send(PER_MESSAGE);
        }
        awaitArrival();
        assertThat(gateway.ingress.depth()).isEqualTo(PER_MESSAGE);

        gateway.ingress.start();

        awaitAnswers();
    }

    /** Without TLS a broker is its address. However many streams it opens, another one finds room. */
    @Test
    void shouldLeaveRoomForAnotherBroker() throws Exception {
        for (int stream = 0; stream < GREEDY_STREAMS; stream++) {
            requests = stream(channel, replies);
            for (int i = 0; i < IN_FLIGHT_MAX / PER_MESSAGE; i++) {
                send(PER_MESSAGE);
            }
        }
        Facts.await("refusals", () -> gateway.metrics.refusals(RefusalReason.BUSY) > 0);
        awaitArrival();
        long depth = gateway.ingress.depth();

        Queue<SubmitReply> repliesToOther = new ConcurrentLinkedQueue<>();
        ManagedChannel other = gateway.channelFrom("127.0.0.2").build();
        try {
            requests = stream(other, repliesToOther);
            send(PER_MESSAGE);

            Facts.await(
                    "batches of the other broker",
                    () -> gateway.ingress.depth() == depth + PER_MESSAGE || !repliesToOther.isEmpty());
            assertThat(repliesToOther).isEmpty();
        } finally {
            other.shutdownNow();
        }
    }

    private void open(int inFlightMax) throws Exception {
        gateway = new ServedGateway(directory, 0, inFlightMax);
        gateway.server.start();
        channel = gateway.channelFrom("127.0.0.1").build();
        awaitArrival();
        requests = stream(channel, replies);
    }

    private static StreamObserver<SubmitRequests> stream(ManagedChannel channel, Queue<SubmitReply> replies) {
        return OrderGatewayGrpc.newStub(channel).submit(new StreamObserver<>() {
            @Override
            public void onNext(SubmitReplies message) {
                replies.addAll(message.getRepliesList());
            }

            @Override
            public void onError(Throwable cause) {
                // The test waits for answers in vain then.
            }

            @Override
            public void onCompleted() {
                // Likewise.
            }
        });
    }

    private void send(int count) {
        SubmitRequests.Builder message = SubmitRequests.newBuilder();
        for (int i = 0; i < count; i++) {
            message.addRequests(SubmitRequest.newBuilder()
                    .setCorrelationId(++sent)
                    .setSignedBatch(ByteString.copyFromUtf8("batch " + sent)));
        }
        requests.onNext(message.build());
    }

    /**
     * Bytes of one connection come in order: what was sent before an answered call has been taken as far as it ever
     * will be.
     */
    private void awaitArrival() {
        OrderGatewayGrpc.newBlockingStub(channel).getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
    }

    private void awaitAnswers() throws Exception {
        Facts.await(() -> "answers to " + sent + ", got " + replies.size(), () -> replies.size() >= sent);
        assertThat(replies.stream().map(SubmitReply::getCorrelationId))
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, sent).boxed().toList());
        assertThat(gateway.metrics.refusals(RefusalReason.BUSY)).isZero();
    }
}
