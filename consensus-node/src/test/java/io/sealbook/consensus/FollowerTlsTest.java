package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.follow.ChainFollower;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.role.Role;
import io.sealbook.tls.role.RoleCredentials;
import io.sealbook.tls.role.RoleHolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who may read at a follower with TLS follows from the chain that it holds. */
@Timeout(300)
class FollowerTlsTest {
    private static final int NODES = 4;

    @TempDir
    private Path directory;

    @Test
    void shouldServeAnAuditorThatATransactionAddedAndRefuseOneThatItRemoved() throws Exception {
        List<AutoCloseable> parts = new ArrayList<>();
        try (PortBlock ports = PortBlock.take(2 * TestCluster.PORTS)) {
            run("testnet", "--dir=" + directory, "--base-port=" + ports.base(), "--tls", "--followers=1", "--force");
            for (int i = 0; i < NODES; i++) {
                NodeDirectory files = new NodeDirectory(directory.resolve("node" + i));
                ConsensusNode node = ConsensusNode.open(files, StartOptions.NONE, failure -> {});
                parts.add(node::close);
                node.start();
                parts.add(new TestEngine(files));
            }
            ChainFollower follower =
                    ChainFollower.open(new NodeDirectory(directory.resolve("follower0")), failure -> {});
            parts.add(follower::close);
            follower.start();
            run("keys", "new", "--plain", directory.resolve("second.key").toString());
            assertThat(asked(follower, 2, "second.key")).isEqualTo("UNAUTHENTICATED");

            execute("--add-auditor", "2:Second:" + directory.resolve("second.key.pub"));
            Facts.await(
                    "the follower serves auditor 2",
                    () -> asked(follower, 2, "second.key").equals("served"));

            execute("--remove-auditor", "2");
            Facts.await(
                    "the follower does not serve auditor 2",
                    () -> asked(follower, 2, "second.key").equals("UNAUTHENTICATED"));
        } finally {
            for (AutoCloseable part : parts.reversed()) {
                part.close();
            }
        }
    }

    private void execute(String... change) {
        String file = directory.resolve(change[0].substring(2) + ".json").toString();
        List<String> propose = new ArrayList<>(List.of("admin", "propose", "--node-dir", node(0), "--out", file));
        propose.addAll(List.of(change));
        run(propose.toArray(String[]::new));
        for (int i = 0; i < 3; i++) {
            run("admin", "approve", "--node-dir", node(i), file);
        }
        run("admin", "submit", "--node-dir", node(0), file);
    }

    private String node(int i) {
        return directory.resolve("node" + i).toString();
    }

    private static void run(String... arguments) {
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        int exitCode = NodeTool.commandLine().setOut(out).setErr(out).execute(arguments);
        assertThat(exitCode)
                .as(() -> String.join(" ", arguments) + "\n" + lines)
                .isZero();
    }

    /** Asks the follower for blocks as an auditor; returns what becomes of the call. */
    private String asked(ChainFollower follower, int auditor, String key) throws IOException {
        TlsIdentity identity = TlsIdentity.open(TlsSettings.ofFilesIn(directory.resolve("operator/tls")));
        GenesisFile genesis = new NodeDirectory(directory.resolve("node0")).readGenesis();
        RoleHolder holder = new RoleHolder(
                genesis.genesis().getChainId(), Role.AUDITOR, auditor, 0, KeyFile.readSigner(directory.resolve(key)));
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", follower.gatewayPort(), TlsPorts.channel(Optional.of(identity)))
                .build();
        try {
            BlockFeedGrpc.newBlockingStub(channel)
                    .withCallCredentials(new RoleCredentials(holder))
                    .withDeadlineAfter(60, TimeUnit.SECONDS)
                    .followBlocks(FollowBlocksRequest.newBuilder()
                            .setFromBlock(1)
                            .setGenesisDigest(
                                    ByteString.copyFrom(genesis.digest().bytes()))
                            .build())
                    .next();
            return "served";
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode().name();
        } finally {
            channel.shutdownNow();
        }
    }
}
