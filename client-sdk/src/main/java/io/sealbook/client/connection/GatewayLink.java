package io.sealbook.client.connection;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.protocol.v1.EndpointRecords;
import io.sealbook.protocol.v1.GetEndpointsRequest;
import io.sealbook.protocol.v1.GetInclusionProofRequest;
import io.sealbook.protocol.v1.GetMembershipProofRequest;
import io.sealbook.protocol.v1.GetMembershipRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.LogonReply;
import io.sealbook.protocol.v1.LogonRequest;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The client's link to one node's gateway: a probe that repeats, a stream of receipts that is always taken up again,
 * and a submit stream that is opened when first written to. Loop thread only.
 *
 * <pre>
 *   DOWN ──probe answered──▶ UP        streams may be opened
 *   UP ──probe or receipts failed──▶ DOWN   probe again after a back-off
 *   UP ──probe failed, a stream has delivered since it was sent──▶ UP
 * </pre>
 */
public final class GatewayLink {
    private final int nodeId;
    private final LinkConfig config;
    private final ClientLoop loop;
    private final GatewayEvents events;
    private final ClientCounters counters;
    private final EndpointDiagnosis diagnosis;
    private final Backoff backoff;
    private final ReceiptStream receipts;
    private final BatchStream submits;

    private NodeAddress address;
    private volatile ManagedChannel channel;
    private MembershipEvents membership = MembershipEvents.NONE;
    private boolean isUp;
    private boolean isTried;
    private boolean wasUp;
    private boolean isClosed;
    private boolean isProbing;
    private String nodeState = "";
    private long probeNumber;
    private long probedNs;
    private long heardNs = System.nanoTime();
    private long pausedUntilNs = System.nanoTime();

    /**
     * Makes a link that is not started.
     *
     * @param address the node's gateway
     * @param config delays, and how channels are opened
     * @param loop on which everything here runs
     * @param events learns what comes, on the loop
     * @param counters reconnects are counted there
     */
    public GatewayLink(
            NodeAddress address, LinkConfig config, ClientLoop loop, GatewayEvents events, ClientCounters counters) {
        this.nodeId = address.nodeId();
        this.config = config;
        this.loop = loop;
        this.events = events;
        this.counters = counters;
        this.diagnosis = new EndpointDiagnosis(address);
        this.backoff = new Backoff(config.backoffMinNs(), config.backoffMaxNs());
        this.address = address;
        this.channel = address.open(config);
        this.receipts = new ReceiptStream(this, this::stub, config.brokerId(), loop, events);
        this.submits = new BatchStream(this, this::stub, loop, events);
    }

    private OrderGatewayGrpc.OrderGatewayStub stub() {
        return OrderGatewayGrpc.newStub(channel).withCallCredentials(config.role());
    }

    /** Goes to another address of the node, if it is another one; what was under way at the former one is lost. */
    public void moveTo(NodeAddress to) {
        if (!address.equals(to)) {
            replaceAt(to);
        }
    }

    /** Goes to another machine that is the node now; what was under way at the former one is lost. */
    public void replaceAt(NodeAddress to) {
        if (isClosed) {
            return;
        }
        address = to;
        ManagedChannel former = channel;
        channel = to.open(config);
        isUp = false;
        isProbing = false;
        diagnosis.moved(to);
        backoff.reset();
        receipts.close();
        submits.abandon("the node has moved");
        former.shutdownNow();
        probe();
    }

    public int nodeId() {
        return nodeId;
    }

    public void start() {
        probe();
    }

    /** Reports the node's membership; call it before {@link #start}. */
    public void followMembership(MembershipEvents value) {
        membership = value;
    }

    /**
     * Asks the node for the configuration of the chain; the answer, if one comes, goes to
     * {@link MembershipEvents#onView}.
     */
    public void askMembership() {
        if (isUp && !isClosed) {
            OrderGatewayGrpc.newStub(channel)
                    .withCallCredentials(config.role())
                    .withDeadlineAfter(config.probeTimeoutNs(), TimeUnit.NANOSECONDS)
                    .getMembership(GetMembershipRequest.getDefaultInstance(), new Answer<>(this::onMembership));
        }
    }

    /**
     * Asks the node for the signed addresses of nodes; the answer, if one comes, goes to
     * {@link MembershipEvents#onEndpoints}.
     *
     * @param serials sum that the node reported
     */
    public void askEndpoints(long serials) {
        if (isUp && !isClosed) {
            stub().withDeadlineAfter(config.probeTimeoutNs(), TimeUnit.NANOSECONDS)
                    .getEndpoints(
                            GetEndpointsRequest.getDefaultInstance(),
                            new Answer<>(answer -> onEndpoints(serials, answer)));
        }
    }

    /**
     * Asks the node for the proof of a batch. One of the two is called, on this thread or on one of gRPC.
     *
     * @param batchId 32 bytes
     * @param block that holds the batch
     * @param timeoutNs after which the node has failed
     * @param onProof gets what the node sent, not judged
     * @param onFailure gets why there is none
     */
    public void askProof(
            byte[] batchId, long block, long timeoutNs, Consumer<byte[]> onProof, Consumer<String> onFailure) {
        if (isUp && !isClosed) {
            stub().withDeadlineAfter(timeoutNs, TimeUnit.NANOSECONDS)
                    .getInclusionProof(
                            GetInclusionProofRequest.newBuilder()
                                    .setBatchId(ByteString.copyFrom(batchId))
                                    .setBlockSequence(block)
                                    .build(),
                            new ProofAnswer(onProof, onFailure));
        } else {
            onFailure.accept("not connected");
        }
    }

    /**
     * Asks the node for a membership proof. One of the two is called, on this thread or on one of gRPC.
     *
     * @param timeoutNs after which the node has failed
     * @param onProof gets what the node sent, not judged
     * @param onFailure gets why there is none
     */
    public void askMembershipProof(long timeoutNs, Consumer<byte[]> onProof, Consumer<String> onFailure) {
        if (isUp && !isClosed) {
            stub().withDeadlineAfter(timeoutNs, TimeUnit.NANOSECONDS)
                    .getMembershipProof(
                            GetMembershipProofRequest.getDefaultInstance(),
                            new MembershipProofAnswer(onProof, onFailure));
        } else {
            onFailure.accept("not connected");
        }
    }

    private void onEndpoints(long serials, EndpointRecords answer) {
        if (!isClosed) {
            membership.onEndpoints(this, serials, answer.getRecordsList());
        }
    }

    private void onMembership(MembershipView view) {
        if (!isClosed && view.getNodeId() == nodeId) {
            membership.onView(this, view);
        }
    }

    /** Follows the node's receipts, from where {@link GatewayEvents#receiptsFrom} says, if that is not done already. */
    public void openReceipts() {
        if (isUp && !isClosed) {
            receipts.openIfClosed();
        }
    }

    /**
     * Asks the node where the broker's sessions are; the answer goes to {@link GatewayEvents#onLogon}, a failure of the
     * call to {@link GatewayEvents#onLogonFailed}.
     */
    public void logon() {
        if (isUp && !isClosed) {
            OrderGatewayGrpc.newStub(channel)
                    .withCallCredentials(config.role())
                    .withDeadlineAfter(config.probeTimeoutNs(), TimeUnit.NANOSECONDS)
                    .logon(
                            LogonRequest.newBuilder()
                                    .setBrokerId(config.brokerId())
                                    .build(),
                            new Answer<>(this::onLogon, this::onLogonFailed));
        }
    }

    private void onLogon(LogonReply reply) {
        if (!isClosed && reply.getNodeId() == nodeId && reply.getChainId() == config.chainId()) {
            events.onLogon(this, reply);
        }
    }

    private void onLogonFailed(Status status) {
        if (!isClosed) {
            events.onLogonFailed(this, EndpointDiagnosis.describe(status));
        }
    }

    /** Returns whether the node takes batches, as far as is known. */
    public boolean isUsable() {
        return isUp && nodeAdmits() && pausedUntilNs - System.nanoTime() <= 0;
    }

    /** Returns whether the node has been asked at all, with whatever result. */
    public boolean isTried() {
        return isTried;
    }

    /** Leaves the node alone for a while: it said that it is busy or not ready, or its submit stream broke. */
    public void pause(long durationNs) {
        long untilNs = System.nanoTime() + durationNs;
        if (untilNs - pausedUntilNs > 0) {
            pausedUntilNs = untilNs;
        }
    }

    /** Leaves the node alone for the next step of the back-off. */
    public void pauseForBackoff() {
        pause(backoff.nextNs());
    }

    /** Returns whether a batch would be taken without buffering; opens the submit stream when there is none. */
    public boolean isWritable() {
        return isUp && submits.isWritable();
    }

    /**
     * Sends a batch on the submit stream; {@link #isWritable} has just said that it takes one.
     *
     * @param correlationId comes back in the reply; unique on this link
     * @param signedBatch batch and signature; not to be changed afterwards
     */
    public void send(long correlationId, byte[] signedBatch) {
        submits.send(correlationId, signedBatch);
    }

    /** Gives up the submit stream, because the node stays silent on it. */
    public void abandonSubmits(String why) {
        submits.abandon(why);
    }

    public ConnectionReport.Endpoint report() {
        return diagnosis.report();
    }

    /** Ends the link, because its node has left the cluster; what was under way goes to others. */
    public void leave() {
        isUp = false;
        submits.abandon("the node has left");
        close();
    }

    public void close() {
        isClosed = true;
        receipts.close();
        submits.close();
        channel.shutdownNow();
    }

    /** Waits for the channel's end; any thread. */
    public void awaitTermination(long timeoutNs) throws InterruptedException {
        channel.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** A stream has delivered: the node lives, whatever becomes of a probe. */
    void onHeard() {
        heardNs = System.nanoTime();
    }

    /** The receipts broke off: with the connection, or by themselves and are asked for again. */
    void onReceiptsLost(Status status) {
        if (isClosed) {
            return;
        }
        if (status.getCode() == Status.Code.UNAVAILABLE) {
            lost(status);
            return;
        }
        diagnosis.failed(status);
        counters.reconnects.increment();
        loop.schedule(backoff.nextNs(), this::openReceipts);
    }

    /** The submit stream broke off: look at the node now rather than at the next probe. */
    void onSubmitsLost(Status status) {
        if (status.getCode() == Status.Code.UNAVAILABLE) {
            lost(status);
        }
    }

    private boolean nodeAdmits() {
        return nodeState.isEmpty() || nodeState.equals("NORMAL") || nodeState.equals("VIEW_CHANGE");
    }

    private void probe() {
        if (isClosed || isProbing) {
            return;
        }
        isProbing = true;
        probedNs = System.nanoTime();
        if (!isUp) {
            // Ours is the back-off that counts; gRPC's own grows to two minutes.
            channel.resetConnectBackoff();
        }
        OrderGatewayGrpc.newStub(channel)
                .withDeadlineAfter(config.probeTimeoutNs(), TimeUnit.NANOSECONDS)
                .getNodeStatus(
                        GetNodeStatusRequest.getDefaultInstance(), new Answer<>(this::onStatus, this::onProbeFailed));
    }

    private void onStatus(NodeStatus status) {
        isProbing = false;
        isTried = true;
        if (isClosed) {
            return;
        }
        if (status.getNodeId() != nodeId || status.getChainId() != config.chainId()) {
            isUp = false;
            diagnosis.failedIdentity("node " + Integer.toUnsignedString(status.getNodeId()) + " of chain "
                    + Long.toUnsignedString(status.getChainId()) + " answers");
            probeAfter(backoff.nextNs());
            return;
        }
        nodeState = status.getState();
        diagnosis.connected();
        if (isUp) {
            // Not at the first answer: a node that answers and breaks its streams again is not hammered.
            backoff.reset();
        } else {
            isUp = true;
            if (wasUp) {
                counters.reconnects.increment();
            }
            wasUp = true;
        }
        events.onStatus(this, status);
        membership.onNumber(this, status.getMembershipNumber());
        membership.onEndpointSerials(this, status.getEndpointSerials());
        events.onWritable(this);
        probeAfter(config.probeIntervalNs());
    }

    private void onProbeFailed(Status status) {
        isProbing = false;
        isTried = true;
        if (isUp && heardNs - probedNs > 0) {
            // A node that is busy or refuses calls may be late with this one; streams that end say so themselves.
            probeAfter(backoff.nextNs());
            return;
        }
        lost(status);
    }

    private void lost(Status status) {
        if (isClosed) {
            return;
        }
        isUp = false;
        diagnosis.failed(status);
        receipts.close();
        submits.abandon(status.toString());
        probeAfter(backoff.nextNs());
    }

    private void probeAfter(long delayNs) {
        long number = ++probeNumber;
        loop.schedule(delayNs, () -> {
            // Only the probe planned last is due.
            if (number == probeNumber) {
                probe();
            }
        });
    }

    /** Hands the answer of one call to the loop; without one the next probe asks again. */
    private final class Answer<T> implements StreamObserver<T> {
        private final Consumer<T> taker;
        private final Consumer<Status> onFailure;
        private final ManagedChannel asked = channel;

        /** Ignores a failure: the next probe finds out about the node. */
        Answer(Consumer<T> taker) {
            this(taker, status -> {});
        }

        Answer(Consumer<T> taker, Consumer<Status> onFailure) {
            this.taker = taker;
            this.onFailure = onFailure;
        }

        private void execute(Runnable task) {
            loop.execute(() -> {
                // Else the node is elsewhere meanwhile, or another machine, which is asked itself.
                if (asked == channel) {
                    task.run();
                }
            });
        }

        @Override
        public void onNext(T answer) {
            execute(() -> taker.accept(answer));
        }

        @Override
        public void onError(Throwable cause) {
            execute(() -> onFailure.accept(Status.fromThrowable(cause)));
        }

        @Override
        public void onCompleted() {
            // A unary call completes after its one answer, or fails.
        }
    }
}
