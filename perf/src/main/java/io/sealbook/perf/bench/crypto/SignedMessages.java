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
    static final int COUNT = 64;
    static final int SIGNER_COUNT = 8;
    static final int MESSAGE_LENGTH = 48;

    final Signer[] signers = new Signer[COUNT];
    final byte[][] messages = new byte[COUNT][MESSAGE_LENGTH];
    final byte[][] signatures = new byte[COUNT][];

    SignedMessages(SignatureScheme scheme, long seed) {
        this(scheme, "bc", seed);
    }

    SignedMessages(SignatureScheme scheme, String provider, long seed) {
        Random random = new Random(seed);
        SigningKey[] brokers = new SigningKey[SIGNER_COUNT];
        for (int i = 0; i < SIGNER_COUNT; i++) {
            byte[] scalar = new byte[32];
            random.nextBytes(scalar);
            // Both orders start with a one bit in their top byte; a smaller top byte keeps the scalar in range.
            scalar[0] &= 0x7F;
            brokers[i] = SigningKey.of(scheme, scalar);
        }
        for (int i = 0; i < COUNT; i++) {
            random.nextBytes(messages[i]);
            signers[i] = i < SIGNER_COUNT ? signer(provider, brokers[i]) : signers[i % SIGNER_COUNT];
            signatures[i] = Signers.named("bc", brokers[i % SIGNER_COUNT]).sign(messages[i]);
        }
    }

    private static Signer signer(String provider, SigningKey key) {
        return provider.equals("best") ? Signers.of(key) : Signers.named(provider, key);
    }
}
