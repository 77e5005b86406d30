package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.ReportFrame;
import java.util.ArrayList;
import java.util.List;

/** The engine behind one node: streams the shared history's reports, a few a frame. */
final class TestEngine extends ExecutionReportsGrpc.ExecutionReportsImplBase {
    private static final int FRAME_MAX = 7;
    private static final int SKIPPED = 10;

    private final TestCluster cluster;
    private final TestNode node;
    private final List<Follower> followers = new ArrayList<>();

    private static final class Follower {
        final ServerCallStreamObserver<ReportFrame> observer;
        long next;

        Follower(ServerCallStreamObserver<ReportFrame> observer, long next) {
            this.observer = observer;
            this.next = next;
        }
    }

    TestEngine(TestCluster cluster, TestNode node) {
        this.cluster = cluster;
        this.node = node;
    }

    @Override
    public void follow(FollowReportsRequest request, StreamObserver<ReportFrame> observer) {
        ServerCallStreamObserver<ReportFrame> stream = (ServerCallStreamObserver<ReportFrame>) observer;
        stream.setOnReadyHandler(() -> {
            synchronized (cluster.lock) {
                pump();
            }
        });
        synchronized (cluster.lock) {
            node.reportsFrom.add(request.getFromSequence());
            followers.add(new Follower(stream, request.getFromSequence()));
            pump();
        }
    }

    /** Sends every follower what it takes; under the cluster's lock. */
    void pump() {
        if (node.reports == TestNode.Reports.SILENT) {
            return;
        }
        followers.removeIf(each -> each.observer.isCancelled());
        for (Follower follower : followers) {
            while (follower.observer.isReady() && follower.next <= available() && !isAboutToSkip(follower)) {
                send(follower);
            }
        }
    }

    void onKilled() {
        followers.clear();
    }

    private long available() {
        return Math.min(cluster.history.reports().size(), node.reportsMax);
    }

    /** Moves the follower beyond the report that the engine leaves out, once there is a next one. */
    private boolean isAboutToSkip(Follower follower) {
        if (node.reports != TestNode.Reports.SKIPPING_ONCE || follower.next != SKIPPED) {
            return false;
        }
        if (available() == SKIPPED) {
            return true;
        }
        node.reports = TestNode.Reports.TRUE;
        follower.next++;
        return false;
    }

    private void send(Follower follower) {
        long first = follower.next;
        if (node.reports == TestNode.Reports.REPEATING && first > 1) {
            first--;
        }
        long last = Math.min(available(), first + FRAME_MAX - 1);
        if (node.reports == TestNode.Reports.SKIPPING_ONCE) {
            last = Math.min(last, SKIPPED - 1);
        }
        List<ByteString> parts = new ArrayList<>();
        for (long sequence = first; sequence <= last; sequence++) {
            byte[] bytes = cluster.history.reports().get((int) sequence - 1);
            if (node.reports == TestNode.Reports.WRONG_BYTES) {
                bytes = bytes.clone();
                bytes[64]++;
            }
            parts.add(ByteString.copyFrom(bytes));
        }
        follower.observer.onNext(ReportFrame.newBuilder()
                .setFirstSequence(first)
                .setCount(parts.size())
                .setReports(ByteString.copyFrom(parts))
                .build());
        follower.next = last + 1;
    }
}
