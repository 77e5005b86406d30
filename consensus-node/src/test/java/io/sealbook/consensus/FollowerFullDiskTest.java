package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.v1.FollowerInfoGrpc;
import io.sealbook.protocol.v1.GetFollowerStatusRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A follower as a process whose disk gets full: it ends and says so, and goes on from there when there is room. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FollowerFullDiskTest {
    private static final int STORAGE_FAILED = 74;
    private static final int BATCHES_MAX = 400;

    @TempDir
    private Path directory;

    @Test
    void shouldEndWhenTheArchiveCannotGrowAndGoOnWhenThereIsRoom() throws Exception {
        SmallDisk.assumeLimits();
        endsAndGoesOn(List.of(), process -> SmallDisk.limitFileSize(process, archiveBytes()), "File too large");
    }

    @Test
    void shouldEndWhenThePagesOfTheQueueFindNoRoom() throws Exception {
        Path queue = Files.createDirectories(new NodeDirectory(directory).blockQueue());
        SmallDisk disk = SmallDisk.of(queue.getParent());
        endsAndGoesOn(disk.wrapper(), disk::fill, "a fault occurred in an unsafe memory access");
    }

    private interface Trouble {
        void bringTo(Process process) throws Exception;
    }

    private void endsAndGoesOn(List<String> wrapper, Trouble trouble, String message) throws Exception {
        try (TestCluster cluster = TestCluster.start();
                PortBlock ports = PortBlock.take(1)) {
            TestBroker broker = cluster.broker(1);
            NodeDirectory follower = write(cluster, ports.base());
            Process process = TestCluster.startProcess(
                    wrapper, NodeTool.class, "follow", follower.root().toString());
            List<String> lines = Collections.synchronizedList(new ArrayList<>());
            Thread reader = Thread.ofPlatform()
                    .start(() -> process.inputReader().lines().forEach(lines::add));
            int batches = 0;
            try {
                for (; batches < 20; batches++) {
                    broker.submitTo(0, broker.batch(20));
                    cluster.awaitCommitted(batches + 1);
                }
                long height = cluster.node(0).status().getLastDelivered();
                awaitBlock(ports.base(), height);

                trouble.bringTo(process);
                while (process.isAlive() && batches < BATCHES_MAX) {
                    broker.submitTo(0, broker.batch(250));
                    cluster.awaitCommitted(++batches);
                }

                assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
                reader.join();
                assertThat(process.exitValue()).as(String.join("\n", lines)).isEqualTo(STORAGE_FAILED);
                assertThat(lines.get(lines.size() - 1))
                        .startsWith("FATAL")
                        .contains("the follower stores nothing further", "make room and start it again", message);
            } finally {
                process.destroyForcibly().waitFor();
            }

            try (TestFollower again = new TestFollower(directory, cluster)) {
                long height = cluster.node(0).status().getLastDelivered();
                cluster.await("it goes on", () -> again.status().getLastBlock() == height);
                assertThat(again.failures).isEmpty();
                assertThat(again.status().getLastBlockHash())
                        .isEqualTo(cluster.node(0).status().getLastBlockHash());
            }
        }
    }

    private NodeDirectory write(TestCluster cluster, int gatewayPort) throws Exception {
        NodeDirectory follower = new NodeDirectory(directory);
        Files.copy(cluster.nodeDirectory(0).genesisFile(), follower.genesisFile());
        Files.write(follower.followerPropertiesFile(), List.of("gateway-port=" + gatewayPort));
        return follower;
    }

    private static void awaitBlock(int gatewayPort, long height) throws Exception {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", gatewayPort)
                .usePlaintext()
                .build();
        try {
            Facts.await("block " + height + " at the follower", () -> {
                try {
                    return FollowerInfoGrpc.newBlockingStub(channel)
                                    .getFollowerStatus(GetFollowerStatusRequest.getDefaultInstance())
                                    .getLastBlock()
                            == height;
                } catch (StatusRuntimeException e) {
                    channel.resetConnectBackoff();
                    return false;
                }
            });
        } finally {
            channel.shutdownNow();
        }
    }

    /** Returns the length of the segment that is written: it grows no further. */
    private long archiveBytes() throws Exception {
        try (Stream<Path> files = Files.list(new NodeDirectory(directory).archive())) {
            Path newest = files.filter(file -> file.toString().endsWith(".blocks"))
                    .sorted()
                    .reduce((before, after) -> after)
                    .orElseThrow();
            return Files.size(newest);
        }
    }
}
