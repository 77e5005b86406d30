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
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
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
        SealedBatch sealed = sealer(signer, BatchPosition.first(0)).seal(ORDERS, 1_000, 42);

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
    void shouldSealTheSameBytesAtTheSamePosition(SignatureScheme scheme) {
        Signer signer = Signers.generate(scheme);
        BatchPosition position = new BatchPosition(3, 9, Digest.sha256(new byte[] {1}));

        assertThat(sealer(signer, position).seal(ORDERS, 1_000, 42).signedBytes())
                .isEqualTo(sealer(signer, position).seal(ORDERS, 1_000, 42).signedBytes());
    }

    /** Batches that are signed together and alone continue one chain. */
    @ParameterizedTest
    @EnumSource
    void shouldChainTheBatchesOfASession(SignatureScheme scheme) {
        BatchSealer sealer = sealer(Signers.generate(scheme), BatchPosition.first(7));
        List<SealedBatch> sealed = new ArrayList<>(sealer.sealAll(List.of(ORDERS, ORDERS, ORDERS), 1_000, 42));
        sealed.add(sealer.seal(ORDERS, 1_000, 42));

        Digest previous = Digest.ZERO;
        for (int i = 0; i < sealed.size(); i++) {
            SealedBatch batch = sealed.get(i);
            assertThat(new BatchView().wrap(batch.signedBytes()).position())
                    .isEqualTo(new BatchPosition(7, i + 1, previous));
            assertThat(batch.number()).isEqualTo(i + 1);
            previous = Digest.of(batch.batchId());
            assertThat(previous).isEqualTo(BatchId.of(batch.signedBytes()));
        }
    }

    private static BatchSealer sealer(Signer signer, BatchPosition first) {
        return new BatchSealer(CHAIN_ID, 5, 2, signer, 10, first);
    }
}
