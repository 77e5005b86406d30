package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.crypto.SigningKey;
import java.util.Random;

/**
 * Messages of a signed region's length from a seed, and their signatures by eight brokers in turn. The signers are
 * those of one provider, the signatures those of the Java signers, which all providers must make.
 */
final class SignedMessages {
    /** As many as one batch has. */
    static final int COUNT = 64;
    /** A verifier meets none again before its tables have left the caches as they do in a node. */
    static final int DISTINCT_COUNT = 4_096;

    static final int SIGNER_COUNT = 8;
    static final int MESSAGE_LENGTH = 48;

    final Signer[] signers;
    final byte[][] messages;
    final byte[][] signatures;

    SignedMessages(SignatureScheme scheme, long seed) {
        this(scheme, "bc", seed, COUNT);
    }

    SignedMessages(SignatureScheme scheme, String provider, long seed, int count) {
        signers = new Signer[count];
        messages = new byte[count][MESSAGE_LENGTH];
        signatures = new byte[count][];
        Random random = new Random(seed);
        SigningKey[] brokers = new SigningKey[SIGNER_COUNT];
        for (int i = 0; i < SIGNER_COUNT; i++) {
            byte[] scalar = new byte[32];
            random.nextBytes(scalar);
            // Both orders start with a one bit in their top byte; a smaller top byte keeps the scalar in range.
            scalar[0] &= 0x7F;
            brokers[i] = SigningKey.of(scheme, scalar);
        }
        for (int i = 0; i < count; i++) {
            random.nextBytes(messages[i]);
            signers[i] = i < SIGNER_COUNT ? signer(provider, brokers[i]) : signers[i % SIGNER_COUNT];
            signatures[i] = Signers.named("bc", brokers[i % SIGNER_COUNT]).sign(messages[i]);
        }
    }

    private static Signer signer(String provider, SigningKey key) {
        return provider.equals("best") ? Signers.of(key) : Signers.named(provider, key);
    }
}
