package io.sealbook.consensus.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.ForcedFiles;
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
    private final Node node = Node.newBuilder()
            .setHost("here")
            .setVotePort(1)
            .setPayloadPort(2)
            .setGatewayPort(3)
            .setEnginePort(4)
            .setIdentity(PublicKey.newBuilder()
                    .setSchemeValue(other.scheme().code())
                    .setPoint(ByteString.copyFrom(other.verificationKey().point())))
            .build();
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

    private NodeEndpoints open() throws IOException {
        return new NodeEndpoints(directory.resolve("known-nodes.json"), CHAIN, () -> List.of(node), nowNs::get);
    }

    private void take(NodeEndpoints endpoints, long serial) {
        Node there = node.toBuilder().setHost("there" + serial).build();
        assertThat(endpoints.take(List.of(
                        SignedEndpoint.sign(CHAIN, serial, 1, there, other).record())))
                .isEqualTo(NodeEndpoints.Answer.JUDGED);
    }
}
