package io.sealbook.consensus;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.sealbook.crypto.Signer;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/** A broker of the tests: signs batches and sends them over real gRPC, one stream to each node. */
final class TestBroker {
    /** Ends a test that waits in vain. */
    private static final long WAIT_MS = 120_000;

    private static final long SEED = 20_261_121;

    /** Of each broker in a cluster of tests; batches go through them in turn, and so hardly depend on each other. */
    static final int SESSIONS = 1_024;
    /** Between the first sessions of two senders. */
    private static final int SESSIONS_APART = 128;

    private final long chainId;
    private final int brokerId;
    private final Map<Integer, BatchPosition> next = new ConcurrentHashMap<>();
    private int made;
    private final Signer signer;
    private final List<ManagedChannel> channels;
    private final Random random;
    private final ConcurrentHashMap<Integer, StreamObserver<SubmitRequests>> streams = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<SubmitReply> replies = new ConcurrentLinkedQueue<>();
    private volatile Status lastError = Status.OK;
    private long correlation;

    /** @param sender which sessions it uses: several senders of a broker must not use the same ones */
    TestBroker(long chainId, int brokerId, int sender, Signer signer, List<ManagedChannel> channels) {
        this.chainId = chainId;
        this.made = SESSIONS_APART * sender;
        this.brokerId = brokerId;
        this.signer = signer;
        this.channels = channels;
        this.random = new Random(SEED + brokerId + 1_000L * sender);
    }

    /** The fields of a batch that tests bend. */
    static final class Fields {
        long chainId;
        int brokerId;
        int keyId = 1;
        short scheme;
        int session;
        /** Null for the one after the last batch of the session. */
        BatchPosition position;

        long validUntilBlock = 1_000;
        int accountId;
        int instrumentId = 1;
        long price = 10_000;
        long quantity = 100;
        byte action = Action.NEW.value();
        int orderCount = 1;
    }

    byte[] batch(int orderCount) {
        return batch(fields -> fields.orderCount = orderCount);
    }

    /** Returns a signed batch; {@code change} bends it before it is signed. */
    byte[] batch(Consumer<Fields> change) {
        Fields fields = new Fields();
        fields.chainId = chainId;
        fields.brokerId = brokerId;
        fields.accountId = brokerId; // As a test net gives them.
        fields.scheme = (short) signer.scheme().code();
        fields.session = made++ % SESSIONS;
        change.accept(fields);
        BatchPosition position = fields.position != null
                ? fields.position
                : next.getOrDefault(fields.session, BatchPosition.first(fields.session));
        byte[] bytes = encode(fields, position);
        sign(bytes, fields.chainId);
        next.put(position.session(), position.after(BatchId.of(bytes)));
        return bytes;
    }

    private byte[] encode(Fields fields, BatchPosition position) {
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[SignedBatch.signedLength(fields.orderCount)]);
        OrderBatchEncoder batch = new OrderBatchEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        batch.chainId(fields.chainId)
                .number(position.number())
                .putPrevious(position.previous().bytes(), 0, Digest.LENGTH)
                .validUntilBlock(fields.validUntilBlock)
                .sentTimeNs(1)
                .brokerId(fields.brokerId)
                .keyId(fields.keyId)
                .session(position.session());
        buffer.putByte(BatchView.SCHEME_OFFSET, (byte) fields.scheme);
        OrderBatchEncoder.OrdersEncoder orders = batch.ordersCount(fields.orderCount);
        for (int i = 0; i < fields.orderCount; i++) {
            orders.next()
                    .clOrdId(random.nextLong() >>> 1)
                    .price(fields.price)
                    .quantity(fields.quantity)
                    .accountId(fields.accountId)
                    .instrumentId(fields.instrumentId)
                    .action(Action.get(fields.action))
                    .side(i % 2 == 0 ? Side.BUY : Side.SELL)
                    .ordType(OrdType.LIMIT)
                    .timeInForce(TimeInForce.GOOD_TILL_CANCEL);
        }
        return buffer.byteArray();
    }

    private void sign(byte[] bytes, long signedChainId) {
        try {
            int length = bytes.length - SignedBatch.SIGNATURE_LENGTH;
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(bytes, 0, length);
            byte[] region = new byte[SignedRegion.LENGTH];
            SignedRegion.write(region, 0, signedChainId, sha256.digest(), 0);
            signer.sign(region, 0, region.length, bytes, length);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    void submitTo(int node, byte[] signedBatch) {
        submitTo(node, List.of(signedBatch));
    }

    /** Sends batches in one message, whether a node takes so many or not. */
    void submitTo(int node, List<byte[]> signedBatches) {
        StreamObserver<SubmitRequests> stream = streams.computeIfAbsent(node, this::open);
        SubmitRequests.Builder message = SubmitRequests.newBuilder();
        for (byte[] signedBatch : signedBatches) {
            synchronized (this) {
                correlation++;
            }
            message.addRequests(SubmitRequest.newBuilder()
                    .setCorrelationId(correlation)
                    .setSignedBatch(ByteString.copyFrom(signedBatch)));
        }
        stream.onNext(message.build());
    }

    private StreamObserver<SubmitRequests> open(int node) {
        return OrderGatewayGrpc.newStub(channels.get(node)).submit(new StreamObserver<>() {
            @Override
            public void onNext(SubmitReplies message) {
                synchronized (replies) {
                    replies.addAll(message.getRepliesList());
                    replies.notifyAll();
                }
            }

            @Override
            public void onError(Throwable reason) {
                streams.remove(node);
                lastError = Status.fromThrowable(reason);
            }

            @Override
            public void onCompleted() {
                streams.remove(node);
            }
        });
    }

    long answers(SubmitStatus status) {
        return replies.stream().filter(reply -> reply.getStatus() == status).count();
    }

    /** Tells a node that no further batch comes on this stream. */
    void halfClose(int node) {
        streams.remove(node).onCompleted();
    }

    /** Returns with what a stream ended last, OK when none did. */
    Status lastError() {
        return lastError;
    }

    /** Returns the answers so far, in the order in which they came. */
    List<SubmitReply> replies() {
        return List.copyOf(replies);
    }

    /** Sends a batch to node 0 and returns the answer to it. */
    SubmitReply answerTo(byte[] signedBatch) throws InterruptedException {
        return answerTo(0, signedBatch);
    }

    SubmitReply answerTo(int node, byte[] signedBatch) throws InterruptedException {
        submitTo(node, signedBatch);
        long wanted = correlation;
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MS);
        synchronized (replies) {
            while (System.nanoTime() - deadlineNs < 0) {
                for (SubmitReply reply : replies) {
                    if (reply.getCorrelationId() == wanted) {
                        return reply;
                    }
                }
                replies.wait(WAIT_MS);
            }
        }
        throw new AssertionError("no answer to batch " + wanted);
    }

    RefusalReason refusalOf(byte[] signedBatch) throws InterruptedException {
        SubmitReply reply = answerTo(signedBatch);
        return reply.getStatus() == SubmitStatus.REFUSED ? reply.getReason() : null;
    }
}
