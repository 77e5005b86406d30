package io.sealbook.client.connection;

import io.grpc.CallCredentials;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.protocol.v1.BlockReportsFrame;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsByBlockRequest;
import io.sealbook.protocol.v1.GetLastReportRequest;
import io.sealbook.protocol.v1.LastReport;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The client's link to the engine of one node: a stream of report frames that is always taken up again. Loop thread
 * only.
 */
public final class EngineLink {
    private static final int WINDOW = 2;

    private final int nodeId;
    private final int brokerId;
    private final CallCredentials role;
    private final ClientLoop loop;
    private final EngineEvents events;
    private final ClientCounters counters;
    private final EndpointDiagnosis diagnosis;
    private final Backoff backoff;
    private final long askTimeoutNs;
    private final LinkConfig config;
    private NodeAddress address;
    private volatile ManagedChannel channel;
    /** Counts the machines that have been the node. */
    private int machine;

    private Follower current;
    private boolean isReopened;
    private boolean isClosed;

    /**
     * Makes a link that is not opened.
     *
     * @param address the engine's gRPC server
     * @param config delays, and how channels are opened
     * @param loop on which everything here runs
     * @param events learns what comes, on the loop
     * @param counters reconnects are counted there
     */
    public EngineLink(
            NodeAddress address, LinkConfig config, ClientLoop loop, EngineEvents events, ClientCounters counters) {
        this.nodeId = address.nodeId();
        this.brokerId = config.brokerId();
        this.role = config.role();
        this.loop = loop;
        this.events = events;
        this.counters = counters;
        this.diagnosis = new EndpointDiagnosis(address);
        this.backoff = new Backoff(config.backoffMinNs(), config.backoffMaxNs());
        this.askTimeoutNs = config.probeTimeoutNs();
        this.config = config;
        this.address = address;
        this.channel = address.open(config);
    }

    /** Goes to another address of the engine, if it is another one; a stream is opened again there. */
    public void moveTo(NodeAddress to) {
        if (!address.equals(to)) {
            connect(to);
        }
    }

    /** Goes to another machine that is the node now, and forgets what the former one is asked; ask this one anew. */
    public void replaceAt(NodeAddress to) {
        machine++;
        connect(to);
    }

    private void connect(NodeAddress to) {
        if (isClosed) {
            return;
        }
        address = to;
        ManagedChannel former = channel;
        channel = to.open(config);
        diagnosis.moved(to);
        backoff.reset();
        // Its streams and questions fail and are repeated.
        former.shutdownNow();
    }

    public int nodeId() {
        return nodeId;
    }

    public void open() {
        if (isClosed || current != null) {
            return;
        }
        // Ours is the back-off that counts; gRPC's own grows to two minutes.
        channel.resetConnectBackoff();
        diagnosis.opening();
        current = new Follower();
        FollowReportsByBlockRequest request = FollowReportsByBlockRequest.newBuilder()
                .setBrokerId(brokerId)
                .setFromSequence(events.reportsFrom(this))
                .setAreDigestsEnough(events.areDigestsEnough(this))
                .build();
        ExecutionReportsGrpc.newStub(channel).withCallCredentials(role).followByBlock(request, current);
    }

    /**
     * Asks how far the broker's reports go, again and again until the engine answers, or another machine is the node.
     *
     * @param answer gets the sequence of the last one, 0 if there is none; on the loop
     */
    public void askLastReport(LongConsumer answer) {
        askLastReport(machine, answer);
    }

    private void askLastReport(int asked, LongConsumer answer) {
        if (isClosed || asked != machine) {
            return;
        }
        channel.resetConnectBackoff();
        diagnosis.opening();
        GetLastReportRequest request =
                GetLastReportRequest.newBuilder().setBrokerId(brokerId).build();
        ExecutionReportsGrpc.newStub(channel)
                .withCallCredentials(role)
                .withDeadlineAfter(askTimeoutNs, TimeUnit.NANOSECONDS)
                .getLastReport(request, new StreamObserver<>() {
                    @Override
                    public void onNext(LastReport last) {
                        loop.execute(() -> {
                            if (asked == machine) {
                                diagnosis.connected();
                                backoff.reset();
                                answer.accept(last.getSequence());
                            }
                        });
                    }

                    @Override
                    public void onError(Throwable cause) {
                        loop.execute(() -> {
                            if (asked == machine) {
                                diagnosis.failed(Status.fromThrowable(cause));
                                loop.schedule(backoff.nextNs(), () -> askLastReport(asked, answer));
                            }
                        });
                    }

                    @Override
                    public void onCompleted() {
                        // The answer came before.
                    }
                });
    }

    /** Grants the engine one more frame. */
    public void grant() {
        if (current != null) {
            current.stream.request(1);
        }
    }

    /** Gives the stream up and opens it anew after a back-off, because of what came on it. */
    public void reopen(String why) {
        Follower abandoned = current;
        current = null;
        if (abandoned != null) {
            abandoned.stream.cancel(why, null);
        }
        openLater(Status.DATA_LOSS.withDescription(why));
    }

    /** Returns whether the present stream has brought a frame. */
    public boolean isStreaming() {
        return current != null && current.hasBegun;
    }

    /** Returns whether there is no stream, and none is being opened. */
    public boolean isDown() {
        return current == null;
    }

    /** Opens the stream anew at once, because something else is wanted on it. */
    public void restart() {
        Follower abandoned = current;
        current = null;
        if (abandoned != null) {
            abandoned.stream.cancel("something else is wanted", null);
        }
        open();
    }

    /** Returns the state of the link; any thread. */
    public ConnectionReport.Endpoint report() {
        return diagnosis.report(channel.getState(false) == ConnectivityState.READY);
    }

    public void close() {
        isClosed = true;
        Follower closing = current;
        current = null;
        if (closing != null) {
            closing.stream.cancel("client closed", null);
        }
        channel.shutdownNow();
    }

    /** Waits for the channel's end; any thread. */
    public void awaitTermination(long timeoutNs) throws InterruptedException {
        channel.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS);
    }

    private void openLater(Status why) {
        isReopened = true;
        diagnosis.failed(why);
        loop.schedule(backoff.nextNs(), this::open);
    }

    private void onFrame(Follower follower, BlockReportsFrame frame) {
        if (follower != current) {
            return;
        }
        if (isReopened) {
            isReopened = false;
            counters.reconnects.increment();
        }
        diagnosis.connected();
        follower.hasBegun = true;
        events.onFrame(this, frame);
        if (follower == current) {
            backoff.reset();
        }
    }

    private void onEnd(Follower follower, Status status) {
        if (follower == current && !isClosed) {
            current = null;
            openLater(status);
            events.onDown(this, status);
        }
    }

    private final class Follower implements ClientResponseObserver<FollowReportsByBlockRequest, BlockReportsFrame> {
        private ClientCallStreamObserver<FollowReportsByBlockRequest> stream;
        private boolean hasBegun;

        @Override
        public void beforeStart(ClientCallStreamObserver<FollowReportsByBlockRequest> requestStream) {
            stream = requestStream;
            requestStream.disableAutoRequestWithInitial(WINDOW);
        }

        @Override
        public void onNext(BlockReportsFrame frame) {
            loop.execute(() -> onFrame(this, frame));
        }

        @Override
        public void onError(Throwable cause) {
            loop.execute(() -> onEnd(this, Status.fromThrowable(cause)));
        }

        @Override
        public void onCompleted() {
            loop.execute(() -> onEnd(this, Status.UNAVAILABLE.withDescription("engine ended the reports")));
        }
    }
}
