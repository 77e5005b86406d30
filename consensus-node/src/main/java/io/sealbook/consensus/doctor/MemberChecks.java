package io.sealbook.consensus.doctor;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.access.TlsPorts;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.keytool.Finding;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.endpoint.UnreachableChannel;
import io.sealbook.vocabulary.ProductVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What the members say: the same chain and genesis file, the same version, and clocks that agree with this one. */
final class MemberChecks {
    /** A tenth of the drift that agreement allows is worth a look, half of it endangers proposals. */
    private static final int WARN_DIVISOR = 10;

    private static final int FAIL_DIVISOR = 2;

    private final CheckedNode node;
    private final long timeoutMs;
    private final List<Finding> findings = new ArrayList<>();

    MemberChecks(CheckedNode node, long timeoutMs) {
        this.node = node;
        this.timeoutMs = timeoutMs;
    }

    /** Returns whether this node answers at its gateway. */
    boolean selfAnswers() {
        try {
            return ask(node.self(), credentials()).status().getNodeId()
                    == node.config().nodeId();
        } catch (StatusRuntimeException | IOException e) {
            return false;
        }
    }

    List<Finding> run() {
        ChannelCredentials credentials;
        try {
            credentials = credentials();
        } catch (IOException e) {
            // The certificate checks have named it.
            return findings;
        }
        int reached = 0;
        for (Node member : node.present().getNodesList()) {
            boolean isSelf = member.getNodeId() == node.config().nodeId();
            try {
                Answer answer = ask(member, credentials);
                check(member, answer, isSelf);
                reached += isSelf ? 0 : 1;
            } catch (StatusRuntimeException e) {
                if (!isSelf) {
                    findings.add(Finding.warn(
                            name(member),
                            "no answer at " + address(member) + ": " + ClusterSurvey.reason(e),
                            "it may be down; look at names, routes and firewalls"));
                }
            }
        }
        if (reached == 0) {
            findings.add(Finding.warn(
                    "clock",
                    "no other member answers, so that the clock was compared with none",
                    "run it again later"));
        }
        return findings;
    }

    private ChannelCredentials credentials() throws IOException {
        Optional<TlsIdentity> tls =
                node.config().network().tls().in(node.files().root()).open();
        return TlsPorts.channel(tls);
    }

    /**
     * An answer with the time that it took.
     *
     * @param status of the member
     * @param offsetMs its clock minus ours
     * @param errorMs how far the offset may be wrong: half of the round trip
     */
    record Answer(NodeStatus status, long offsetMs, long errorMs) {}

    private Answer ask(Node member, ChannelCredentials credentials) {
        ManagedChannel channel = UnreachableChannel.unless(
                () -> NettyChannelBuilder.forAddress(member.getHost(), member.getGatewayPort(), credentials)
                        .build());
        try {
            // The first call opens the connection, the second one is timed.
            status(channel);
            long sentMs = System.currentTimeMillis();
            long startNs = System.nanoTime();
            NodeStatus status = status(channel);
            long tripMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            return new Answer(status, status.getClockMs() - (sentMs + tripMs / 2), tripMs / 2 + 1);
        } finally {
            channel.shutdownNow();
        }
    }

    private NodeStatus status(ManagedChannel channel) {
        return OrderGatewayGrpc.newBlockingStub(channel)
                .withDeadlineAfter(timeoutMs, TimeUnit.MILLISECONDS)
                .getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
    }

    private void check(Node member, Answer answer, boolean isSelf) {
        NodeStatus status = answer.status();
        Optional<Finding> identity = identity(member, status);
        if (identity.isPresent()) {
            findings.add(identity.get());
            return;
        }
        findings.add(version(member, status, isSelf));
        if (!isSelf) {
            findings.add(clock(member, answer, node.present().getParameters().getBlockTimeDriftMaxMs()));
        }
    }

    /** Returns why the answer is not that of the member of this genesis file; empty if it is. */
    private Optional<Finding> identity(Node member, NodeStatus status) {
        String own = node.genesis().digest().hex();
        String other = HexFormat.of().formatHex(status.getGenesisDigest().toByteArray());
        if (status.getChainId() != node.genesis().genesis().getChainId()) {
            return Optional.of(Finding.fail(
                    name(member),
                    "it is of chain " + Long.toUnsignedString(status.getChainId()),
                    "look at the addresses of the genesis file"));
        }
        if (status.getNodeId() != member.getNodeId()) {
            return Optional.of(Finding.fail(
                    name(member),
                    "node " + status.getNodeId() + " answers at " + address(member),
                    "look at node-id there, and at the addresses of the genesis file"));
        }
        if (!other.isEmpty() && !other.equals(own)) {
            return Optional.of(Finding.fail(
                    name(member),
                    "it has another genesis file: " + other + ", here " + own,
                    "compare with the other members; one file is not the agreed one"));
        }
        return Optional.empty();
    }

    private static Finding version(Node member, NodeStatus status, boolean isSelf) {
        String fact = "same genesis file, version " + status.getVersion() + ", " + status.getState();
        if (status.getVersion().equals(ProductVersion.text())) {
            return Finding.ok(name(member), fact);
        }
        return Finding.warn(
                name(member),
                fact + "; this jar is " + ProductVersion.text(),
                isSelf ? "restart the node with this jar" : "run one version in the cluster");
    }

    static Finding clock(Node member, Answer answer, int driftMaxMs) {
        if (answer.status().getClockMs() == 0) {
            return Finding.warn(
                    "clock", name(member) + " is of an earlier version and tells no time", "change its jar");
        }
        long surely = Math.max(0, Math.abs(answer.offsetMs()) - answer.errorMs());
        String fact = name(member) + " is " + answer.offsetMs() + " ms ahead (within " + answer.errorMs() + " ms)";
        String remedy = "synchronise the clocks (chrony, NTP): blocks are refused beyond " + driftMaxMs + " ms";
        if (surely > driftMaxMs / FAIL_DIVISOR) {
            return Finding.fail("clock", fact, remedy);
        }
        return surely > driftMaxMs / WARN_DIVISOR ? Finding.warn("clock", fact, remedy) : Finding.ok("clock", fact);
    }

    private static String name(Node member) {
        return "node " + member.getNodeId();
    }

    private static String address(Node member) {
        return MemberGateway.address(member);
    }
}
