package io.sealbook.perf.bench.crypto;

import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.SigningKey;
import java.util.Random;

/** Messages of a signed region's length from a seed, and their signatures by eight brokers in turn. */
final class SignedMessages {
    static final int COUNT = 64;
    private static final int SIGNER_COUNT = 8;
    private static final int MESSAGE_LENGTH = 48;

    final Signer[] signers = new Signer[COUNT];
    final byte[][] messages = new byte[COUNT][MESSAGE_LENGTH];
    final byte[][] signatures = new byte[COUNT][];

    SignedMessages(SignatureScheme scheme, long seed) {
        Random random = new Random(seed);
        Signer[] brokers = new Signer[SIGNER_COUNT];
        for (int i = 0; i < SIGNER_COUNT; i++) {
            byte[] scalar = new byte[32];
            random.nextBytes(scalar);
            // Both orders start with a one bit in their top byte; a smaller top byte keeps the scalar in range.
            scalar[0] &= 0x7F;
            brokers[i] = SigningKey.of(scheme, scalar).signer();
        }
        for (int i = 0; i < COUNT; i++) {
            random.nextBytes(messages[i]);
            signers[i] = brokers[i % SIGNER_COUNT];
            signatures[i] = signers[i].sign(messages[i]);
        }
    }
}
