package io.sealbook.client.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.Order;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BatchSealerTest {
    private static final long CHAIN_ID = 77;
    private static final List<Order> ORDERS =
            List.of(Order.limit(1, 1, 1, Side.BUY, 100, 10), Order.cancel(2, 1, 1, 1, Side.BUY));

    @ParameterizedTest
    @EnumSource
    void shouldSignTheRegionOfTheBatchId(SignatureScheme scheme) throws Exception {
        Signer signer = Signers.generate(scheme);
        SealedBatch sealed = new BatchSealer(CHAIN_ID, 5, 2, signer, 10).seal(ORDERS, 1_000, 42);

        byte[] signed = sealed.signedBytes();
        int batchLength = SignedBatch.batchLength(ORDERS.size());
        assertThat(signed).hasSize(SignedBatch.signedLength(ORDERS.size()));
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        sha256.update(signed, 0, batchLength);
        assertThat(sealed.batchId()).isEqualTo(sha256.digest());
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, CHAIN_ID, sealed.batchId(), 0);
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(signer.verificationKey(), region, 0, region.length, signed, batchLength);
        try (SignatureVerifier verifier = SignatureProviders.named("bc")) {
            assertThat(verifier.verify(batch)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSealTheSameBytesForTheSameNonce(SignatureScheme scheme) {
        Signer signer = Signers.generate(scheme);

        assertThat(new BatchSealer(CHAIN_ID, 5, 2, signer, 10)
                        .seal(ORDERS, 9, 1_000, 42)
                        .signedBytes())
                .isEqualTo(new BatchSealer(CHAIN_ID, 5, 2, signer, 10)
                        .seal(ORDERS, 9, 1_000, 42)
                        .signedBytes());
    }

    @ParameterizedTest
    @EnumSource
    void shouldNeverUseANonceTwice(SignatureScheme scheme) {
        BatchSealer sealer = new BatchSealer(CHAIN_ID, 5, 2, Signers.generate(scheme), 10);
        Set<Long> nonces = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            nonces.add(nonce(sealer.seal(ORDERS, 1_000, 42)));
        }

        assertThat(nonces).hasSize(100);
    }

    @Test
    void shouldCountNoncesUpFromAStartThatNoOtherSealerHas() {
        Signer signer = Signers.generate(SignatureScheme.SM2_SM3);
        Set<Long> nonces = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            BatchSealer sealer = new BatchSealer(CHAIN_ID, 5, 2, signer, 10);
            List<SealedBatch> together = sealer.sealAll(List.of(ORDERS, ORDERS), 1_000, 42);
            long first = nonce(together.get(0));
            assertThat(nonce(together.get(1))).isEqualTo(first + 1);
            assertThat(nonce(sealer.seal(ORDERS, 1_000, 42))).isEqualTo(first + 2);
            nonces.addAll(List.of(first, first + 1, first + 2));
        }

        assertThat(nonces).hasSize(60);
    }

    private static long nonce(SealedBatch sealed) {
        return ByteBuffer.wrap(sealed.signedBytes())
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong(16);
    }
}
