package io.sealbook.gpu;

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
 * Signatures to measure with: messages of 48 bytes, as long as what the platform signs, under some keys by turns, one in eight of them
 * spoilt in the message, r or s. Immutable once made; any thread.
 */
final class SweepVectors {
    private static final int MESSAGE_LENGTH = 48;
    private static final int SPOILT_INTERVAL = 8;

    private final List<Signer> signers = new ArrayList<>();
    private final byte[][] messages;
    private final byte[][] signatures;

    /** Makes them on all cores. */
    SweepVectors(int count, int keyCount, long seed) {
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
            byte[] spoilt = bit < 512 ? signatures[i] : messages[i];
            spoilt[bit / 8 % spoilt.length] ^= (byte) (1 << bit % 8);
        }
    }

    int count() {
        return messages.length;
    }

    List<VerificationKey> keys() {
        return signers.stream().map(Signer::verificationKey).toList();
    }

    int keyIndex(int i) {
        return i % signers.size();
    }

    boolean isValid(int i) {
        return i % SPOILT_INTERVAL != SPOILT_INTERVAL - 1;
    }

    /** Returns a batch of so many, from this one on and over the end to the first again. */
    SignatureBatch batch(int first, int size) {
        SignatureBatch batch = new SignatureBatch(size);
        for (int j = 0; j < size; j++) {
            int i = (first + j) % count();
            batch.add(signers.get(keyIndex(i)).verificationKey(), messages[i], signatures[i]);
        }
        return batch;
    }

    /** Returns how many verdicts of such a batch are wrong. */
    int wrongCount(SignatureBatch batch, int first) {
        int wrongCount = 0;
        for (int j = 0; j < batch.size(); j++) {
            wrongCount += batch.isValid(j) == isValid((first + j) % count()) ? 0 : 1;
        }
        return wrongCount;
    }
}
