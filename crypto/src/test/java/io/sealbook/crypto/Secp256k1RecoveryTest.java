package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Sha256;
import java.math.BigInteger;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Secp256k1RecoveryTest {
    private static final BigInteger N = EllipticCurve.SECP256K1.order;

    /**
     * The byte that the signer computes is the one that a search over all four finds, also where s was replaced by n -
     * s.
     */
    @Test
    void shouldComputeRecoveryByteThatSearchFinds() {
        Random random = new Random(41);
        int loweredCount = 0;
        for (int i = 0; i < 1000; i++) {
            SigningKey key = TestKeys.key(SignatureScheme.ECDSA_SECP256K1_SHA256, random);
            byte[] message = TestKeys.message(random, 64);

            byte[] signature = key.signer().sign(message);

            assertThat(searched(key.verificationKey(), message, signature)).isEqualTo(SignatureBytes.v(signature, 0));
            loweredCount += wasLowered(key, message, signature) ? 1 : 0;
        }
        assertThat(loweredCount).isBetween(400, 600);
    }

    /** The loop of other libraries: try every byte until the key comes out. */
    private static int searched(VerificationKey key, byte[] message, byte[] signature) {
        byte[] candidate = signature.clone();
        int found = -1;
        for (int v = 0; v < 4; v++) {
            candidate[64] = (byte) v;
            if (Secp256k1Recovery.recover(message, candidate).equals(Optional.of(key))) {
                assertThat(found).as("only one byte may recover the key").isNegative();
                found = v;
            }
        }
        return found;
    }

    /** k = s^-1 (e + r d): with a lowered s this k is n minus the nonce of RFC 6979. */
    private static boolean wasLowered(SigningKey key, byte[] message, byte[] signature) {
        byte[] digest = Sha256.of(message, 0, message.length);
        BigInteger k = SignatureBytes.s(signature, 0)
                .modInverse(N)
                .multiply(new BigInteger(1, digest)
                        .add(SignatureBytes.r(signature, 0).multiply(key.d())))
                .mod(N);
        org.bouncycastle.crypto.signers.HMacDSAKCalculator nonces =
                new org.bouncycastle.crypto.signers.HMacDSAKCalculator(
                        new org.bouncycastle.crypto.digests.SHA256Digest());
        nonces.init(N, key.d(), digest);
        return !nonces.nextK().equals(k);
    }

    @Test
    void shouldRefuseWhatNoKeyCouldHaveSigned() {
        SigningKey key = TestKeys.key(SignatureScheme.ECDSA_SECP256K1_SHA256, new Random(42));
        byte[] message = {1};
        byte[] good = key.signer().sign(message);
        BigInteger r = SignatureBytes.r(good, 0);
        BigInteger s = SignatureBytes.s(good, 0);

        assertThat(recover(message, r, s, good[64])).contains(key.verificationKey());
        assertThat(recover(message, BigInteger.ZERO, s, good[64])).isEmpty();
        assertThat(recover(message, N, s, good[64])).isEmpty();
        assertThat(recover(message, r, BigInteger.ZERO, good[64])).isEmpty();
        assertThat(recover(message, r, N.subtract(s), good[64])).isEmpty();
        assertThat(recover(message, r, s, 4)).isEmpty();
        assertThat(recover(message, r, s, -1)).isEmpty();
        assertThat(recover(message, r, s, good[64] | 2))
                .as("x = r + n is beyond the field")
                .isEmpty();
        // x = 5 is on no point of the curve: 132 is not a square.
        assertThat(recover(message, BigInteger.valueOf(5), s, 0)).isEmpty();
        assertThatThrownBy(() -> Secp256k1Recovery.recover(message, new byte[64]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Optional<VerificationKey> recover(byte[] message, BigInteger r, BigInteger s, int v) {
        byte[] signature = new byte[SignatureScheme.SIGNATURE_LENGTH];
        SignatureBytes.write(signature, 0, r, s, v);
        return Secp256k1Recovery.recover(message, signature);
    }
}
