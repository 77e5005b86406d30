package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.Attributes;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.protocol.v1.ResultChallenge;
import io.sealbook.protocol.v1.ResultReturnGrpc;
import io.sealbook.protocol.v1.ReturnedResult;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Node 3 has its engine beside a follower in another directory, or none. Checkpoints need three of four. */
@Timeout(600)
class RemoteExecutionTest {
    private static final int REMOTE = 3;
    private static final int BATCHES = 12;
    private static final UnaryOperator<Parameters.Builder> A_BLOCK_FOR_EACH_BATCH =
            parameters -> parameters.setBlockMaxBatches(1);

    @TempDir
    private Path directory;

    private long committed;

    @Test
    void shouldVoteOnCheckpointsWithResultsThatCameOverTheNetwork() throws Exception {
        try (TestCluster cluster = TestCluster.startWith(REMOTE, List.of("engine=remote"), A_BLOCK_FOR_EACH_BATCH);
                TestFollower follower = new TestFollower(directory, cluster, "results-to=" + address(cluster))) {
            TestBroker broker = cluster.broker(1);
            commit(cluster, broker);
            awaitResults(cluster);
            assertThat(cluster.engine(REMOTE).lastExecuted()).isZero();

            cluster.stopEngine(0);
            commit(cluster, broker);
            cluster.await(
                    "a checkpoint for which the result from elsewhere is needed",
                    () -> cluster.node(1).status().getStableCheckpoint() > BATCHES);

            follower.stop();
            commit(cluster, broker);
            follower.start();
            awaitResults(cluster);
            cluster.kill(REMOTE);
            commit(cluster, broker);
            cluster.startNode(REMOTE);
            awaitResults(cluster);
        }
    }

    @Test
    void shouldTakeNoResultFromACallerWithoutTheKey() throws Exception {
        try (TestCluster cluster = TestCluster.startWith(REMOTE, List.of("engine=remote"), A_BLOCK_FOR_EACH_BATCH)) {
            commit(cluster, cluster.broker(1));
            ManagedChannel channel = NettyChannelBuilder.forTarget(address(cluster))
                    .usePlaintext()
                    .build();
            Caller caller = new Caller();
            StreamObserver<ReturnedResult> results =
                    ResultReturnGrpc.newStub(channel).returnResults(caller);
            cluster.await("a challenge", () -> caller.challenge != null);
            assertThat(caller.challenge.getNextSequence()).isEqualTo(1);

            results.onNext(ReturnedResult.newBuilder()
                    .setSequence(1)
                    .setResultDigest(ByteString.copyFrom(new byte[32]))
                    .setCode(ByteString.copyFrom(new byte[32]))
                    .build());

            cluster.await("the stream ends", () -> caller.end != null);
            assertThat(caller.end.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
            assertThat(cluster.node(REMOTE).status().getLastExecuted()).isZero();
            channel.shutdownNow();
        }
    }

    /** Each address has as many silent streams as it may; they are more than there are places without a proof. */
    @Test
    void shouldTakeResultsWhileStrangersHoldStreams() throws Exception {
        try (TestCluster cluster = TestCluster.startWith(REMOTE, List.of("engine=remote"), A_BLOCK_FOR_EACH_BATCH)) {
            List<ManagedChannel> channels = new ArrayList<>();
            List<Caller> strangers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                ManagedChannel channel = channelFrom("127.0.1." + (i + 1), cluster);
                channels.add(channel);
                for (int k = 0; k < 4; k++) {
                    Caller stranger = new Caller();
                    strangers.add(stranger);
                    ResultReturnGrpc.newStub(channel).returnResults(stranger);
                    cluster.await("a challenge", () -> stranger.challenge != null || stranger.end != null);
                    assertThat(stranger.challenge).as("end %s", stranger.end).isNotNull();
                }
            }
            cluster.await(
                    "those beyond the places have ended",
                    () -> strangers.stream()
                                    .filter(stranger -> stranger.end != null)
                                    .count()
                            == 16);

            try (TestFollower follower = new TestFollower(directory, cluster, "results-to=" + address(cluster))) {
                commit(cluster, cluster.broker(1));
                awaitResults(cluster);
            }
            channels.forEach(ManagedChannel::shutdownNow);
        }
    }

    private static ManagedChannel channelFrom(String source, TestCluster cluster) {
        return NettyChannelBuilder.forTarget(address(cluster))
                .localSocketPicker(new NettyChannelBuilder.LocalSocketPicker() {
                    @Override
                    public SocketAddress createSocketAddress(SocketAddress remote, Attributes attributes) {
                        return new InetSocketAddress(source, 0);
                    }
                })
                .usePlaintext()
                .build();
    }

    @Test
    void shouldAdoptCheckpointsWithoutAnEngine() throws Exception {
        try (TestCluster cluster = TestCluster.startWith(REMOTE, List.of("engine=none"), A_BLOCK_FOR_EACH_BATCH)) {
            TestBroker broker = cluster.broker(1);
            for (int i = 0; i < 8; i++) {
                commit(cluster, broker);
            }

            cluster.await(
                    "checkpoints of the others",
                    () -> cluster.node(REMOTE).status().getStableCheckpoint() >= 8 * BATCHES - 4);
            assertThat(cluster.node(REMOTE).status().getReady()).isTrue();
            assertThat(cluster.node(REMOTE).status().getLastExecuted()).isZero();

            cluster.kill(REMOTE);
            cluster.startNode(REMOTE);
            commit(cluster, broker);
            cluster.await(
                    "it goes on after a restart",
                    () -> cluster.node(REMOTE).status().getLastDelivered()
                            == cluster.node(0).status().getLastDelivered());
        }
    }

    private static String address(TestCluster cluster) {
        return "127.0.0.1:" + cluster.genesis().genesis().getNodes(REMOTE).getGatewayPort();
    }

    private void commit(TestCluster cluster, TestBroker broker) throws Exception {
        for (int i = 0; i < BATCHES; i++) {
            broker.submitTo(0, broker.batch(2));
        }
        committed += BATCHES;
        long all = committed;
        cluster.await("batches are committed", () -> cluster.node(0).status().getCommittedBatches() >= all);
    }

    private static void awaitResults(TestCluster cluster) throws Exception {
        cluster.await("the node has the result of its last block", () -> {
            var status = cluster.node(REMOTE).status();
            return status.getLastDelivered() == cluster.node(0).status().getLastDelivered()
                    && status.getLastExecuted() == status.getLastDelivered();
        });
    }

    private static final class Caller implements StreamObserver<ResultChallenge> {
        private volatile ResultChallenge challenge;
        private volatile Status end;

        @Override
        public void onNext(ResultChallenge next) {
            challenge = next;
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
