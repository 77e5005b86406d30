package io.sealbook.client.cluster;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.protocol.v1.BlockReportsFrame;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsByBlockRequest;
import io.sealbook.protocol.v1.GetLastReportRequest;
import io.sealbook.protocol.v1.LastReport;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.RunTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The engine behind one node: streams the shared history's reports, a few blocks a frame. */
final class TestEngine extends ExecutionReportsGrpc.ExecutionReportsImplBase {
    private static final int FRAME_MAX = 3;
    private static final int SKIPPED = 10;
    private static final int PRICE_OFFSET = 64;

    private final TestCluster cluster;
    private final TestNode node;
    private final List<Follower> followers = new ArrayList<>();

    private static final class Follower {
        final ServerCallStreamObserver<BlockReportsFrame> observer;
        final boolean areDigestsEnough;
        /** Position of the next block among those that have reports. */
        int next;
        /** Report sequence of that block's first report. */
        long sequence = 1;
        /** Runs of that block that were sent by themselves. */
        int runsSent;
        /** Whether its next frame is on its way, at the node's pace. */
        boolean isPaced;
        /** Whether it has had a frame at that pace; the first one comes at once. */
        boolean hasBegun;

        Follower(ServerCallStreamObserver<BlockReportsFrame> observer, boolean areDigestsEnough) {
            this.observer = observer;
            this.areDigestsEnough = areDigestsEnough;
        }
    }

    TestEngine(TestCluster cluster, TestNode node) {
        this.cluster = cluster;
        this.node = node;
    }

    @Override
    public void getLastReport(GetLastReportRequest request, StreamObserver<LastReport> observer) {
        synchronized (cluster.lock) {
            if (node.reports == TestNode.Reports.SILENT) {
                return;
            }
            long last = cluster.history.reports().stream().mapToLong(List::size).sum();
            boolean isLying = node.reports == TestNode.Reports.WRONG_REPORTS;
            observer.onNext(LastReport.newBuilder()
                    .setSequence(isLying ? Long.MAX_VALUE - 1 : Math.min(last, node.reportsMax))
                    .build());
            observer.onCompleted();
        }
    }

    @Override
    public void followByBlock(FollowReportsByBlockRequest request, StreamObserver<BlockReportsFrame> observer) {
        if (request.getFromSequence() < node.reportsFirst) {
            observer.onError(Status.OUT_OF_RANGE
                    .withDescription("reports are kept from " + node.reportsFirst)
                    .asRuntimeException());
            return;
        }
        ServerCallStreamObserver<BlockReportsFrame> stream = (ServerCallStreamObserver<BlockReportsFrame>) observer;
        stream.setOnCancelHandler(() -> {}); // Else a frame on a stream given up throws.
        stream.setOnReadyHandler(() -> {
            synchronized (cluster.lock) {
                pump();
            }
        });
        synchronized (cluster.lock) {
            node.reportsFrom.add(request.getFromSequence());
            if (!request.getAreDigestsEnough()) {
                node.sentReportsFrom.add(request.getFromSequence());
            }
            Follower follower = new Follower(
                    stream, request.getAreDigestsEnough() && node.reports != TestNode.Reports.REPORTS_ONLY);
            List<List<byte[]>> blocks = cluster.history.reports();
            while (follower.next < blocks.size()
                    && follower.sequence + blocks.get(follower.next).size() <= request.getFromSequence()) {
                follower.sequence += blocks.get(follower.next++).size();
            }
            followers.add(follower);
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
            if (!follower.areDigestsEnough && node.reports == TestNode.Reports.SILENT_AS_SENDER) {
                continue;
            }
            if (!follower.areDigestsEnough && !node.reportsPace.isZero()) {
                pace(follower);
                continue;
            }
            while (follower.observer.isReady() && isAvailable(follower, 0) && !isAboutToSkip(follower)) {
                send(follower);
            }
        }
    }

    /** Sends the follower its next frame after a while. */
    private void pace(Follower follower) {
        if (follower.isPaced || !isAvailable(follower, 0)) {
            return;
        }
        follower.isPaced = true;
        long delayNs = follower.hasBegun ? node.reportsPace.toNanos() : 0;
        follower.hasBegun = true;
        CompletableFuture.delayedExecutor(delayNs, TimeUnit.NANOSECONDS).execute(() -> {
            synchronized (cluster.lock) {
                follower.isPaced = false;
                if (followers.contains(follower) && !follower.observer.isCancelled()) {
                    sendRun(follower);
                    pump();
                }
            }
        });
    }

    /** Sends one run by itself, or a frame with nothing in it. */
    private void sendRun(Follower follower) {
        BlockReportsFrame.Builder frame = BlockReportsFrame.newBuilder();
        if (node.reports != TestNode.Reports.EMPTY_FRAMES) {
            List<byte[]> block = cluster.history.reports().get(follower.next);
            frame.addBlocks(run(block, runs(block), follower.sequence, follower.runsSent++));
            if (frame.getBlocks(0).getIsLast()) {
                follower.sequence += block.size();
                follower.next++;
                follower.runsSent = 0;
            }
        }
        follower.observer.onNext(frame.build());
    }

    void onKilled() {
        followers.clear();
    }

    /** Returns whether the engine has a block so many after the follower's next one. */
    private boolean isAvailable(Follower follower, int ahead) {
        List<List<byte[]>> blocks = cluster.history.reports();
        long end = follower.sequence;
        for (int i = 0; i <= ahead; i++) {
            if (follower.next + i >= blocks.size()) {
                return false;
            }
            end += blocks.get(follower.next + i).size();
        }
        return end - 1 <= node.reportsMax;
    }

    /** Moves the follower beyond the block that the engine leaves out, once there is a next one. */
    private boolean isAboutToSkip(Follower follower) {
        int size = cluster.history.reports().get(follower.next).size();
        boolean isSkipped = follower.sequence <= SKIPPED && SKIPPED < follower.sequence + size;
        if (node.reports != TestNode.Reports.SKIPPING_ONCE || !isSkipped) {
            return false;
        }
        if (!isAvailable(follower, 1)) {
            return true;
        }
        node.reports = TestNode.Reports.TRUE;
        follower.sequence += size;
        follower.next++;
        return false;
    }

    private void send(Follower follower) {
        BlockReportsFrame.Builder frame = BlockReportsFrame.newBuilder();
        if (node.reports == TestNode.Reports.REPEATING && follower.next > 0) {
            List<byte[]> before = cluster.history.reports().get(follower.next - 1);
            addBlock(frame, follower, before, follower.sequence - before.size());
        }
        int countMax = node.reports == TestNode.Reports.SKIPPING_ONCE ? 1 : FRAME_MAX;
        for (int i = 0; i < countMax && isAvailable(follower, 0); i++) {
            List<byte[]> block = cluster.history.reports().get(follower.next);
            addBlock(frame, follower, block, follower.sequence);
            follower.sequence += block.size();
            follower.next++;
        }
        follower.observer.onNext(frame.build());
    }

    private void addBlock(BlockReportsFrame.Builder frame, Follower follower, List<byte[]> reports, long first) {
        boolean isDigest = follower.areDigestsEnough || node.reports == TestNode.Reports.DIGESTS_ONLY;
        boolean isWrong = node.reports == TestNode.Reports.WRONG_BYTES
                || node.reports == TestNode.Reports.WRONG_REPORTS && !isDigest;
        List<byte[]> runs = runs(isWrong ? wrong(reports) : reports);
        if (isDigest) {
            RunTree tree = new RunTree();
            runs.forEach(tree::add);
            frame.addBlocks(BlockReports.newBuilder()
                    .setFirstSequence(first)
                    .setCount(reports.size())
                    .setDigest(ByteString.copyFrom(tree.take().bytes()))
                    .setIsLast(true));
            return;
        }
        // Each run by itself, as an engine sends them of a large block.
        for (int i = 0; i < runs.size(); i++) {
            frame.addBlocks(run(reports, runs, first, i));
        }
    }

    private static BlockReports run(List<byte[]> reports, List<byte[]> runs, long first, int index) {
        int from = index * ReportRun.COUNT_MAX;
        return BlockReports.newBuilder()
                .setFirstSequence(first + from)
                .setCount(Math.min(ReportRun.COUNT_MAX, reports.size() - from))
                .addRuns(ByteString.copyFrom(runs.get(index)))
                .setIsLast(index == runs.size() - 1)
                .build();
    }

    private static List<byte[]> wrong(List<byte[]> reports) {
        return reports.stream()
                .map(report -> {
                    byte[] wrong = report.clone();
                    wrong[PRICE_OFFSET]++;
                    return wrong;
                })
                .toList();
    }

    private static List<byte[]> runs(List<byte[]> reports) {
        List<byte[]> runs = new ArrayList<>();
        for (int from = 0; from < reports.size(); from += ReportRun.COUNT_MAX) {
            List<byte[]> run = reports.subList(from, Math.min(reports.size(), from + ReportRun.COUNT_MAX));
            runs.add(ReportBytes.run(run));
        }
        return runs;
    }
}
