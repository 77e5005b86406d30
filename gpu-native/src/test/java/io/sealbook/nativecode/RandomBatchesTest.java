package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random signatures, right and wrong in many ways, in mixed batches of random sizes: native verdicts are Bouncy
 * Castle's. The system property {@code random.signatures} says how many; profile {@code slow} asks for 100,000.
 */
class RandomBatchesTest {
    private static final int COUNT = Integer.getInteger("random.signatures", 2000);
    private static final int BATCH_MAX = 300;
    private static final int KEYS = 12;
    private static final int REGION_LENGTH = 48;

    private final Random random = new Random(2026);
    private final Signer[] signers = new Signer[KEYS];

    @ParameterizedTest
    @EnumSource(Backend.class)
    void shouldAgreeWithBouncyCastle(Backend backend) {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        assumeTrue(backend.code <= Backend.best().code, "needs " + backend + ": this processor lacks it");
        for (int i = 0; i < KEYS; i++) {
            byte[] scalar = new byte[32];
            random.nextBytes(scalar);
            scalar[0] &= 0x7F;
            // The last key is of the other scheme: such entries are few, and mixed in.
            SignatureScheme scheme = i < KEYS - 1 ? SignatureScheme.SM2_SM3 : SignatureScheme.ECDSA_SECP256K1_SHA256;
            signers[i] = SigningKey.of(scheme, scalar).signer();
        }
        SignatureBatch batch = new SignatureBatch(BATCH_MAX);
        boolean[] verdicts = new boolean[BATCH_MAX];
        int validTotal = 0;
        try (SignatureVerifier reference = SignatureProviders.named(BouncyCastleProvider.NAME);
                // Room for four tables, so that they come and go.
                SignatureVerifier verifier = new JniVerifier(backend, 2 << 20)) {
            for (int done = 0; done < COUNT; done += batch.size()) {
                batch.clear();
                int size = 1 + random.nextInt(BATCH_MAX);
                for (int i = 0; i < size; i++) {
                    addSignature(batch);
                }

                int validCount = verifier.verify(batch);

                for (int i = 0; i < size; i++) {
                    verdicts[i] = batch.isValid(i);
                }
                assertThat(validCount).isEqualTo(reference.verify(batch));
                for (int i = 0; i < size; i++) {
                    assertThat(verdicts[i]).as("entry " + i).isEqualTo(batch.isValid(i));
                }
                validTotal += validCount;
            }
        }
        assertThat(validTotal).isBetween(COUNT / 4, COUNT);
    }

    private void addSignature(SignatureBatch batch) {
        Signer signer = signers[random.nextInt(KEYS)];
        byte[] message = new byte[random.nextInt(4) > 0 ? REGION_LENGTH : random.nextInt(200)];
        random.nextBytes(message);
        byte[] signature = signer.sign(message);
        VerificationKey key = signer.verificationKey();
        switch (random.nextInt(12)) {
            case 0 -> flipBit(signature);
            case 1 -> {
                if (message.length > 0) {
                    flipBit(message);
                }
            }
            case 2 -> key = signers[random.nextInt(KEYS)].verificationKey();
            case 3 -> Arrays.fill(signature, 0, 32, (byte) (random.nextBoolean() ? 0 : 0xFF));
            case 4 -> Arrays.fill(signature, 32, 64, (byte) (random.nextBoolean() ? 0 : 0xFF));
            case 5 -> random.nextBytes(signature);
            default -> {
                // As signed.
            }
        }
        batch.add(key, message, signature);
    }

    private void flipBit(byte[] bytes) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
}
