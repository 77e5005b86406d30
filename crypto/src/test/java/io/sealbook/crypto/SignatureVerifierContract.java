package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Sha256;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every provider's verifier must do; a provider's test, in whatever module, extends this and opens its verifier.
 */
public abstract class SignatureVerifierContract {
    private SignatureVerifier verifier;

    protected abstract SignatureVerifier open();

    @BeforeEach
    void openVerifier() {
        verifier = open();
    }

    @AfterEach
    void closeVerifier() {
        // Null where open() skipped the test.
        if (verifier != null) {
            verifier.close();
        }
    }

    /** An entry with the verdict it must get. */
    private record Entry(String name, VerificationKey key, byte[] message, byte[] signature, boolean isValid) {}

    @Test
    void shouldPassSelfTest() {
        assertThat(ProviderSelfTest.failure(verifier)).isEmpty();
    }

    @Test
    void shouldReturnZeroForEmptyBatch() {
        assertThat(verifier.verify(new SignatureBatch(4))).isZero();
    }

    @Test
    void shouldOverwriteEarlierVerdicts() {
        SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, new Random(1));
        byte[] message = {1, 2, 3};
        SignatureBatch batch = new SignatureBatch(2);
        batch.add(key.verificationKey(), message, new byte[SignatureScheme.SIGNATURE_LENGTH]);
        batch.add(key.verificationKey(), message, key.signer().sign(message));
        batch.setValid(0, true);

        int validCount = verifier.verify(batch);

        assertThat(validCount).isEqualTo(1);
        assertThat(batch.isValid(0)).isFalse();
        assertThat(batch.isValid(1)).isTrue();
    }

    @Test
    void shouldReadMessagesAndSignaturesInPlace() {
        SigningKey key = TestKeys.key(SignatureScheme.ECDSA_SECP256K1_SHA256, new Random(2));
        byte[] frame = new byte[200];
        new Random(3).nextBytes(frame);
        key.signer().sign(frame, 10, 48, frame, 100);
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(key.verificationKey(), frame, 10, 48, frame, 100);

        assertThat(verifier.verify(batch)).isEqualTo(1);
    }

    /**
     * Every kind of wrong entry, under every scheme, scattered among right ones; often enough that the keys get their
     * tables.
     */
    @Test
    void shouldTellRightFromWrongInMixedBatches() {
        Random random = new Random(4);
        List<SigningKey> keys = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            for (SignatureScheme scheme : SignatureScheme.values()) {
                keys.add(TestKeys.key(scheme, random));
            }
        }
        for (int round = 0; round < 6; round++) {
            List<Entry> entries = new ArrayList<>();
            for (SigningKey key : keys) {
                entries.addAll(entries(key, otherKey(keys, key), random));
            }
            java.util.Collections.shuffle(entries, random);
            assertVerdicts(entries);
        }
    }

    @Test
    void shouldVerifyFromSeveralThreads() throws Exception {
        Random random = new Random(5);
        SigningKey key = TestKeys.key(SignatureScheme.SM2_SM3, random);
        SigningKey other = TestKeys.key(SignatureScheme.SM2_SM3, random);
        List<Entry> entries = entries(key, other, random);
        Callable<Void> work = () -> {
            for (int round = 0; round < 5; round++) {
                assertVerdicts(entries);
            }
            return null;
        };
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            for (Future<Void> done : threads.invokeAll(List.of(work, work, work))) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private void assertVerdicts(List<Entry> entries) {
        SignatureBatch batch = new SignatureBatch(entries.size());
        for (Entry entry : entries) {
            batch.add(entry.key(), entry.message(), entry.signature());
        }

        int validCount = verifier.verify(batch);

        int expectedCount = 0;
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            assertThat(batch.isValid(i))
                    .as(entry.key().scheme() + " " + entry.name())
                    .isEqualTo(entry.isValid());
            expectedCount += entry.isValid() ? 1 : 0;
        }
        assertThat(validCount).isEqualTo(expectedCount);
    }

    private static SigningKey otherKey(List<SigningKey> keys, SigningKey key) {
        return keys.stream()
                .filter(other -> other != key && other.scheme() == key.scheme())
                .findFirst()
                .orElseThrow();
    }

    private static List<Entry> entries(SigningKey key, SigningKey otherKey, Random random) {
        byte[] message = TestKeys.message(random, 150);
        byte[] good = key.signer().sign(message);
        BigInteger n = EllipticCurve.of(key.scheme()).order;
        BigInteger r = SignatureBytes.r(good, 0);
        BigInteger s = SignatureBytes.s(good, 0);
        int v = SignatureBytes.v(good, 0);
        VerificationKey publicKey = key.verificationKey();
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry("as signed", publicKey, message, good, true));
        entries.add(new Entry("wrong key", otherKey.verificationKey(), message, good, false));
        byte[] longer = java.util.Arrays.copyOf(message, message.length + 1);
        entries.add(new Entry("longer message", publicKey, longer, good, false));
        longer[random.nextInt(longer.length)] ^= (byte) (1 << random.nextInt(8));
        entries.add(new Entry("wrong message", publicKey, longer, good, false));
        for (int i = 0; i < 4; i++) {
            byte[] flipped = good.clone();
            flipped[random.nextInt(64)] ^= (byte) (1 << random.nextInt(8));
            entries.add(new Entry("flipped bit", publicKey, message, flipped, false));
        }
        BigInteger one = BigInteger.ONE;
        for (BigInteger edge : List.of(
                BigInteger.ZERO,
                one,
                n.subtract(one),
                n,
                n.add(one),
                BigInteger.TWO.pow(256).subtract(one))) {
            entries.add(new Entry("r = " + edge.toString(16), publicKey, message, signature(edge, s, v), false));
            entries.add(new Entry("s = " + edge.toString(16), publicKey, message, signature(r, edge, v), false));
        }
        entries.add(new Entry("r + s = n", publicKey, message, signature(r, n.subtract(r), v), false));
        entries.add(new Entry("n - s", publicKey, message, signature(r, n.subtract(s), v), false));
        entries.add(new Entry("n - s, v flipped", publicKey, message, signature(r, n.subtract(s), v ^ 1), false));
        for (int other : new int[] {v ^ 1, v ^ 2, v ^ 3, v ^ 4, v ^ 0x80}) {
            entries.add(new Entry("v = " + other, publicKey, message, signature(r, s, other), false));
        }
        if (r.add(n).bitLength() <= 256) {
            entries.add(new Entry("r + n", publicKey, message, signature(r.add(n), s, v), false));
        }
        entries.add(new Entry("point at infinity", publicKey, message, atInfinity(key, message), false));
        entries.add(new Entry("all ones", publicKey, message, filled(0xFF), false));
        entries.add(new Entry("all zeros", publicKey, message, filled(0), false));
        return entries;
    }

    /** What only the key's owner can make: r and s in range for which a·G + b·P is no point. */
    private static byte[] atInfinity(SigningKey key, byte[] message) {
        BigInteger n = EllipticCurve.of(key.scheme()).order;
        if (key.scheme() == SignatureScheme.SM2_SM3) {
            BigInteger s = BigInteger.valueOf(12345);
            BigInteger t = n.subtract(s).multiply(key.d().modInverse(n)).mod(n);
            return signature(t.subtract(s).mod(n), s, 0);
        }
        BigInteger e = new BigInteger(1, Sha256.of(message, 0, message.length));
        BigInteger r = n.subtract(e.mod(n)).multiply(key.d().modInverse(n)).mod(n);
        return signature(r, BigInteger.valueOf(12345), 0);
    }

    private static byte[] signature(BigInteger r, BigInteger s, int v) {
        byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
        SignatureBytes.write(signature, 0, r, s, v);
        return signature;
    }

    private static byte[] filled(int value) {
        byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
        java.util.Arrays.fill(signature, (byte) value);
        return signature;
    }
}
