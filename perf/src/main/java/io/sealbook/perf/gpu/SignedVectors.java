package io.sealbook.perf.gpu;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.VerificationKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * SM2 signatures to measure with: messages of 48 bytes, the length that brokers sign, under some keys by turns; one in
 * eight has a flipped bit in the message, r or s. Immutable; any thread.
 */
final class SignedVectors {
    private static final int MESSAGE_LENGTH = 48;
    private static final int DAMAGED_INTERVAL = 8;

    private final List<Signer> signers = new ArrayList<>();
    private final byte[][] messages;
    private final byte[][] signatures;

    /**
     * Makes them on all cores.
     *
     * @param count number of signatures
     * @param keyCount number of keys
     * @param seed of messages and flipped bits; the keys are new each time
     */
    SignedVectors(int count, int keyCount, long seed) {
        for (int i = 0; i < keyCount; i++) {
            signers.add(Signers.generate(SignatureScheme.SM2_SM3));
        }
        messages = new byte[count][];
        signatures = new byte[count][];
        IntStream.range(0, count).parallel().forEach(i -> sign(i, new Random(seed + i)));
    }

    private void sign(int i, Random random) {
        messages[i] = new byte[MESSAGE_LENGTH];
        random.nextBytes(messages[i]);
        signatures[i] = signers.get(i % signers.size()).sign(messages[i]);
        if (!isValid(i)) {
            int bit = random.nextInt(3 * 256);
            byte[] damaged = bit < 512 ? signatures[i] : messages[i];
            damaged[bit / 8 % damaged.length] ^= (byte) (1 << bit % 8);
        }
    }

    int count() {
        return messages.length;
    }

    List<VerificationKey> keys() {
        return signers.stream().map(Signer::verificationKey).toList();
    }

    private boolean isValid(int i) {
        return i % DAMAGED_INTERVAL != DAMAGED_INTERVAL - 1;
    }

    /**
     * Returns a batch of the signatures from one on; after the last comes the first again.
     *
     * @param first index of the first one
     * @param size number of signatures
     */
    SignatureBatch batch(int first, int size) {
        SignatureBatch batch = new SignatureBatch(size);
        for (int j = 0; j < size; j++) {
            int i = (first + j) % count();
            batch.add(signers.get(i % signers.size()).verificationKey(), messages[i], signatures[i]);
        }
        return batch;
    }

    /**
     * Returns the number of wrong verdicts.
     *
     * @param batch which {@link #batch} made, and a verifier has marked
     * @param first index of its first signature
     */
    int wrongCount(SignatureBatch batch, int first) {
        int wrongCount = 0;
        for (int j = 0; j < batch.size(); j++) {
            wrongCount += batch.isValid(j) == isValid((first + j) % count()) ? 0 : 1;
        }
        return wrongCount;
    }
}
