package io.sealbook.consensus.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.ForcedFiles;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.tls.endpoint.SignedEndpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node keeps of the addresses that others sign. */
class NodeEndpointsTest {
    private static final long CHAIN = 4711;

    @TempDir
    private Path directory;

    private final Signer other = Signers.generate(SignatureScheme.SM2_SM3);
    private final Node node = node("here", other);
    private final AtomicLong nowNs = new AtomicLong(1);

    /** A member can sign as many records as it likes, and each write waits for the disk. */
    @Test
    void shouldWriteNewsOncePerSecondAndAtTheEnd() throws Exception {
        NodeEndpoints endpoints = open();
        for (int serial = 1; serial <= 50; serial++) {
            take(endpoints, serial);
        }
        assertThat(endpoints.serials()).isEqualTo(50);
        assertThat(open().serials()).as("the first is on disk").isEqualTo(1);

        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
        take(endpoints, 51);
        take(endpoints, 52);
        assertThat(open().serials()).isEqualTo(51);

        endpoints.saveNews();
        assertThat(open().serials()).isEqualTo(52);
    }

    @Test
    void shouldBeOnDiskWithTheirName() throws Exception {
        NodeEndpoints endpoints = open();

        assertThat(ForcedFiles.below(directory, endpoints::save)).contains(directory);
    }

    /** The node has moved, changed its key, and moved again, while this one was away. */
    @Test
    void shouldFindANodeUnderTheKeyOfALaterEpoch() throws Exception {
        Signer changed = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);
        Node laterNode = node("of its transaction", changed);
        Node hint = node("of the genesis file", other);
        take(open(), 1);

        LaterNodes later = new LaterNodes(List.of(laterNode), List.of(hint));
        NodeEndpoints behind = open(node, later);
        assertThat(hosts(behind, node)).containsExactly("of its transaction", "there1", "of the genesis file");
        assertThat(behind.addresses(node)).extracting(Node::getIdentity).containsOnly(node.getIdentity());
        take(behind, record(laterNode, 1, "later", changed));
        assertThat(hosts(behind, node)).containsExactly("later", "there1", "of the genesis file");
        assertThat(behind.partners()).isEqualTo(behind.addresses(node));
        assertThat(behind.records())
                .as("clients look for nodes of this epoch")
                .containsExactly(record(node, 1, "there1", other));
        assertThat(behind.news())
                .as("gateways of the later epoch take no others")
                .containsExactly(record(laterNode, 1, "later", changed));

        behind.saveNews();
        assertThat(hosts(open(node, later), node)).first().isEqualTo("later");
        assertThat(hosts(open(laterNode, LaterNodes.NONE), laterNode)).containsExactly("later");
    }

    private NodeEndpoints open() throws IOException {
        return open(node, LaterNodes.NONE);
    }

    private NodeEndpoints open(Node present, LaterNodes later) throws IOException {
        return new NodeEndpoints(
                directory.resolve("known-nodes.json"), CHAIN, () -> List.of(present), later, nowNs::get);
    }

    private void take(NodeEndpoints endpoints, long serial) {
        take(endpoints, record(node, serial, "there" + serial, other));
    }

    private static void take(NodeEndpoints endpoints, EndpointRecord record) {
        assertThat(endpoints.take(List.of(record))).isEqualTo(NodeEndpoints.Answer.JUDGED);
    }

    private static EndpointRecord record(Node node, long serial, String host, Signer signer) {
        Node there = node.toBuilder().setHost(host).build();
        return SignedEndpoint.sign(CHAIN, serial, 1, there, signer).record();
    }

    private static List<String> hosts(NodeEndpoints endpoints, Node node) {
        return endpoints.addresses(node).stream().map(Node::getHost).toList();
    }

    private static Node node(String host, Signer signer) {
        return Node.newBuilder()
                .setHost(host)
                .setVotePort(1)
                .setPayloadPort(2)
                .setGatewayPort(3)
                .setEnginePort(4)
                .setIdentity(PublicKey.newBuilder()
                        .setSchemeValue(signer.scheme().code())
                        .setPoint(ByteString.copyFrom(signer.verificationKey().point())))
                .build();
    }
}
