package io.sealbook.consensus.tool;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.FollowerConfig;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.protocol.v1.FollowerInfoGrpc;
import io.sealbook.protocol.v1.FollowerStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.GetFollowerStatusRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.tls.TlsSettings;
import io.sealbook.tls.endpoint.UnreachableChannel;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code status}: asks a running node or follower, or all members of a cluster, how they are. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Asks a running node, or the follower of a directory, and prints one fact per line.",
            "With --cluster it asks all members, prints a line for each, and judges the cluster. Where TLS is on, the"
                    + " key in the directory of a node or an auditor's follower proves the role without which nodes do"
                    + " not name added or replaced ones."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the node takes batches, sees a quorum, and engines keep up; the follower has a source and is nearly at"
                    + " the head; a quorum of the cluster's members is ready, their engines keep up and nothing"
                    + " contradicts",
            "1:it answers, but that is not so",
            "2:wrong use",
            "3:it does not answer, or no member does"
        })
public final class NodeStatusCommand implements Callable<Integer> {
    static final int NOT_READY = 1;
    static final int NO_ANSWER = 3;

    @Spec
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            description = "The directory of the node or follower; with --cluster any that has the genesis file.")
    private Path directory;

    @Option(names = "--gateway", paramLabel = "HOST:PORT", description = "The node's gateway, instead of a directory.")
    private String gateway;

    @Option(
            names = "--tls",
            paramLabel = "DIR",
            description = "With --gateway or --cluster: directory with certificate.pem, key.pem and trusted.pem to"
                    + " connect with; by default what the settings in DIR name.")
    private Path tlsDirectory;

    @Option(
            names = "--timeout-ms",
            defaultValue = "10000",
            description = "Wait for an answer, in ms. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (cluster.isAsked()) {
            return askCluster();
        }
        if (cluster.needsCluster()) {
            throw new ParameterException(spec.commandLine(), "--may-stop, --json and --watch need --cluster");
        }
        String target = target();
        ChannelCredentials credentials = TlsPorts.channel(tls().open());
        ManagedChannel channel = UnreachableChannel.unless(
                () -> NettyChannelBuilder.forTarget(target, credentials).build());
        try {
            boolean isReady = isOfFollower() ? printFollower(channel) : printNode(channel);
            return isReady ? 0 : NOT_READY;
        } catch (StatusRuntimeException e) {
            spec.commandLine().getErr().println("no answer from " + target + ": " + ClusterSurvey.reason(e));
            return NO_ANSWER;
        } finally {
            channel.shutdownNow();
        }
    }

    private int askCluster() throws IOException, InterruptedException {
        if (directory == null) {
            throw new ParameterException(spec.commandLine(), "--cluster needs a directory with the genesis file");
        }
        try {
            NodeDirectory files = new NodeDirectory(directory);
            Genesis genesis = files.readGenesis().genesis();
            return cluster.run(
                    PresentCluster.known(files, genesis),
                    MemberGateway.Access.unattended(files, tls().open(), this::noteNoRole),
                    timeoutMs,
                    spec.commandLine().getOut());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage());
        }
    }

    private void noteNoRole(String fact) {
        spec.commandLine().getErr().println("asks without a role, and learns of no transactions: " + fact);
    }

    private String target() throws IOException {
        if (gateway != null) {
            return gateway;
        }
        if (directory == null) {
            throw new ParameterException(spec.commandLine(), "needs a directory or --gateway HOST:PORT");
        }
        NodeDirectory files = new NodeDirectory(directory);
        if (isOfFollower()) {
            FollowerConfig config = FollowerConfig.read(files);
            return reachable(config.network().bindAddress()) + ":" + config.gatewayPort();
        }
        return PresentCluster.ownGateway(files);
    }

    /** Returns where what listens on an address is reached, by a name that its certificate has if it is any address. */
    static String reachable(String bindAddress) throws IOException {
        InetAddress address = InetAddress.getByName(bindAddress);
        if (address.isAnyLocalAddress()) {
            return "localhost";
        }
        return address instanceof Inet6Address ? "[" + address.getHostAddress() + "]" : bindAddress;
    }

    private TlsSettings tls() throws IOException {
        if (tlsDirectory != null) {
            return TlsSettings.ofFilesIn(tlsDirectory);
        }
        if (gateway != null) {
            return TlsSettings.OFF;
        }
        NodeDirectory files = new NodeDirectory(directory);
        if (!Files.exists(files.propertiesFile()) && !Files.exists(files.followerPropertiesFile())) {
            return TlsSettings.OFF;
        }
        TlsSettings settings = isOfFollower()
                ? FollowerConfig.read(files).network().tls()
                : NodeConfig.read(files).network().tls();
        return settings.in(directory);
    }

    /** The directory of a node has settings, and that of a follower may have others. */
    private boolean isOfFollower() {
        return gateway == null && !Files.exists(new NodeDirectory(directory).propertiesFile());
    }

    private boolean printFollower(ManagedChannel channel) {
        FollowerStatus status = FollowerInfoGrpc.newBlockingStub(channel)
                .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
                .getFollowerStatus(GetFollowerStatusRequest.getDefaultInstance());
        PrintWriter out = spec.commandLine().getOut();
        out.println("chain id: " + Long.toUnsignedString(status.getChainId()));
        out.println("state: " + status.getState());
        out.println("ready: " + (status.getReady() ? "yes" : "no, " + status.getNotReadyReason()));
        out.println("source: " + status.getSource());
        out.println("last block: " + status.getLastBlock());
        out.println("last block hash: " + hex(status.getLastBlockHash().toByteArray()));
        out.println("last certified: " + status.getLastCertified());
        out.println("known height: " + status.getKnownHeight());
        out.println("held blocks: " + status.getHeldBlocks());
        out.println("engine right to: " + status.getEngineRightTo());
        if (status.getEngineWrongAt() > 0) {
            out.println("engine wrong at: " + status.getEngineWrongAt());
        }
        status.getFaultySourcesList().forEach(fault -> out.println("faulty source: " + fault));
        return status.getReady();
    }

    private boolean printNode(ManagedChannel channel) {
        NodeStatus status = OrderGatewayGrpc.newBlockingStub(channel)
                .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
                .getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
        PrintWriter out = spec.commandLine().getOut();
        out.println("node: " + status.getNodeId());
        out.println("version: " + status.getVersion());
        out.println("chain id: " + Long.toUnsignedString(status.getChainId()));
        out.println("state: " + status.getState());
        out.println("ready: " + (status.getReady() ? "yes" : "no, " + status.getNotReadyReason()));
        out.println("view: " + status.getView());
        out.println("primary: " + status.getPrimary());
        out.println("last delivered: " + status.getLastDelivered());
        out.println("last executed: " + status.getLastExecuted());
        out.println("stable checkpoint: " + status.getStableCheckpoint());
        out.println("last block hash: " + hex(status.getLastBlockHash().toByteArray()));
        out.println("result digest: " + hex(status.getResultDigest().toByteArray()));
        out.println("membership: " + Long.toUnsignedString(status.getMembershipNumber()) + " transactions, digest "
                + hex(status.getMembershipDigest().toByteArray()));
        out.println("epoch: " + status.getEpoch());
        out.println("protocol version: " + status.getProtocolVersion() + ", the build follows versions up to "
                + status.getProtocolVersionMax());
        out.println("watermarks: " + status.getLowWatermark() + ".." + status.getHighWatermark());
        out.println("pending batches: " + status.getPendingBatches());
        out.println("committed batches: " + status.getCommittedBatches());
        out.println("committed orders: " + status.getCommittedOrders());
        out.println("connected peers: " + status.getConnectedPeersList());
        out.println("verifier: " + verifier(status));
        out.println("damaged blocks: " + status.getDamagedBlocks());
        out.println("members that signed twice: " + status.getProvenFaultyMembersList());
        out.println("durability: " + status.getDurability());
        return status.getReady();
    }

    private static String verifier(NodeStatus status) {
        String text = status.getVerifier();
        if (status.getVerificationsPerSecond() > 0) {
            text += String.format(Locale.ROOT, ", %,d/s per core measured", status.getVerificationsPerSecond());
        }
        return status.getVerifierFault().isEmpty() ? text : text + "; FAULT: " + status.getVerifierFault();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
