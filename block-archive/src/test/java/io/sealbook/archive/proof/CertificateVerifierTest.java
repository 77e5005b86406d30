package io.sealbook.archive.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateVerifierTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(3);

    @Test
    void shouldCountDistinctKnownNodesWithValidSignatures() {
        try (SignatureVerifier signatures = SignatureProviders.named("bc")) {
            CertificateVerifier verifier = new CertificateVerifier(CHAIN.genesisFile(), signatures);

            assertThat(verifier.signers(CHAIN.certificate(8, 2, 0, 1, 0))).containsExactly(0, 1, 2);
            assertThat(verifier.isCertified(CHAIN.certificate(8, 2, 0, 1))).isTrue();
            assertThat(verifier.isCertified(CHAIN.certificate(8, 2, 0))).isFalse();
            assertThat(verifier.signers(CHAIN.certificate(8))).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"4,3", "5,4", "6,4", "7,5", "8,6", "9,6", "10,7"})
    void shouldAskForQuorumThatAlwaysSharesAnHonestNode(int nodes, int quorum) {
        Node first = CHAIN.genesisFile().genesis().getNodes(0);
        Genesis.Builder genesis = Genesis.newBuilder().setChainId(1);
        for (int i = 0; i < nodes; i++) {
            genesis.addNodes(first.toBuilder().setNodeId(i));
        }
        byte[] json = GenesisFile.toJson(genesis.build()).getBytes(StandardCharsets.UTF_8);
        try (SignatureVerifier signatures = SignatureProviders.named("bc")) {
            CertificateVerifier verifier = new CertificateVerifier(GenesisFile.parse(json), signatures);

            int f = (nodes - 1) / 3;
            assertThat(verifier.quorum()).isEqualTo(quorum);
            assertThat(2 * quorum - nodes).isGreaterThanOrEqualTo(f + 1);
            assertThat(quorum).isLessThanOrEqualTo(nodes - f);
        }
    }
}
