package io.sealbook.archive.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import org.junit.jupiter.api.Test;

class CertificateVerifierTest {
    private static final CertifiedChain CHAIN = new CertifiedChain(3);

    @Test
    void shouldCountDistinctKnownNodesWithValidSignatures() {
        try (SignatureVerifier signatures = SignatureProviders.named("bc")) {
            CertificateVerifier verifier = new CertificateVerifier(signatures);
            Membership membership = Membership.of(CHAIN.genesisFile().genesis());

            assertThat(verifier.signers(CHAIN.certificate(8, 2, 0, 1, 0), membership))
                    .containsExactly(0, 1, 2);
            assertThat(verifier.isCertified(CHAIN.certificate(8, 2, 0, 1), membership))
                    .isTrue();
            assertThat(verifier.isCertified(CHAIN.certificate(8, 2, 0), membership))
                    .isFalse();
            assertThat(verifier.signers(CHAIN.certificate(8), membership)).isEmpty();
        }
    }
}
