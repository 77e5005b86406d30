package io.sealbook.client.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.Order;
import io.sealbook.client.codec.BatchSigner;
import io.sealbook.client.codec.SealedBatch;
import io.sealbook.client.codec.SessionEncoder;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SigningPoolTest {
    private static final long CHAIN_ID = 77;
    private static final int ORDERS_MAX = 4;

    /**
     * Lets the first signature wait for the gate, so that the others have to queue; counts the messages of each call.
     */
    private static final class GatedSigner implements Signer {
        final Signer signer = Signers.generate(SignatureScheme.SM2_SM3);
        final CountDownLatch gate = new CountDownLatch(1);
        /** Null, or what the next call throws. */
        volatile Error failure;

        final Queue<Integer> calls = new ConcurrentLinkedQueue<>();

        @Override
        public SignatureScheme scheme() {
            return signer.scheme();
        }

        @Override
        public VerificationKey verificationKey() {
            return signer.verificationKey();
        }

        @Override
        public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
            calls.add(1);
            await();
            Error thrown = failure;
            if (thrown != null) {
                failure = null;
                throw thrown;
            }
            signer.sign(message, offset, length, signature, signatureOffset);
        }

        @Override
        public void signAll(byte[] messages, int messageLength, int count, byte[] signatures) {
            calls.add(count);
            await();
            signer.signAll(messages, messageLength, count, signatures);
        }

        private void await() {
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("the test ended early", e);
            }
        }
    }

    private final GatedSigner signer = new GatedSigner();
    private final SigningPool pool = new SigningPool("test", 1, () -> new BatchSigner(CHAIN_ID, signer), () -> 1_000);
    private final List<OutgoingBatch> signed = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();

    @BeforeEach
    void openPool() {
        pool.open(new SessionEncoder(CHAIN_ID, 5, 2, signer.scheme(), ORDERS_MAX, BatchPosition.first(0)));
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void shouldSignTogetherWhatWaits() throws Exception {
        CountDownLatch done = new CountDownLatch(41);
        submit(1, done);
        Facts.await("the first signature", () -> !signer.calls.isEmpty());
        for (int i = 0; i < 40; i++) {
            submit(1 + i % ORDERS_MAX, done);
        }
        signer.gate.countDown();

        assertThat(done.await(2, TimeUnit.MINUTES)).isTrue();
        assertThat(signer.calls).startsWith(1, 16, 16, 8);
        assertThat(failures).isEmpty();
        assertThat(signed).hasSize(41).allMatch(batch -> isValid(batch.sealed()));
        assertThat(signed.stream().map(OutgoingBatch::orderCount)).startsWith(1, 1, 2, 3, 4, 1);
        assertThat(signed.stream().map(batch -> batch.sealed().number()))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, 41).boxed().toList());
    }

    @Test
    void shouldGiveNoNumberToWhatCannotBeEncoded() throws Exception {
        CountDownLatch done = new CountDownLatch(4);
        submit(1, done);
        Facts.await("the first signature", () -> !signer.calls.isEmpty());
        submit(2, done);
        submit(ORDERS_MAX + 1, done);
        submit(3, done);
        signer.gate.countDown();

        assertThat(done.await(2, TimeUnit.MINUTES)).isTrue();
        assertThat(failures).hasSize(1);
        assertThat(signed.stream().map(OutgoingBatch::orderCount)).containsExactly(1, 2, 3);
        assertThat(signed.stream().map(batch -> batch.sealed().number())).containsExactly(1L, 2L, 3L);
        assertThat(signed).allMatch(batch -> isValid(batch.sealed()));
    }

    @Test
    void shouldFailABatchWhoseSignerThrowsAnError() throws Exception {
        signer.failure = new AssertionError("no library");
        signer.gate.countDown();
        CountDownLatch first = new CountDownLatch(1);
        submit(1, first);
        assertThat(first.await(2, TimeUnit.MINUTES)).isTrue();
        CountDownLatch second = new CountDownLatch(1);
        submit(1, second);

        assertThat(second.await(2, TimeUnit.MINUTES)).isTrue();
        assertThat(failures).singleElement().isInstanceOf(AssertionError.class);
        assertThat(signed).hasSize(1);
    }

    private void submit(int orderCount, CountDownLatch done) {
        List<Order> orders = new ArrayList<>();
        for (int i = 0; i < orderCount; i++) {
            orders.add(Order.limit(i + 1, 1, 1, Side.BUY, 100, 10));
        }
        pool.sign(
                new OutgoingBatch(orders, 4),
                batch -> {
                    signed.add(batch);
                    done.countDown();
                },
                failure -> {
                    failures.add(failure);
                    done.countDown();
                });
    }

    private boolean isValid(SealedBatch sealed) {
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, CHAIN_ID, sealed.batchId(), 0);
        byte[] bytes = sealed.signedBytes();
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(
                signer.verificationKey(), region, 0, region.length, bytes, bytes.length - SignedBatch.SIGNATURE_LENGTH);
        try (SignatureVerifier verifier = SignatureProviders.named("bc")) {
            return verifier.verify(batch) == 1;
        }
    }
}
