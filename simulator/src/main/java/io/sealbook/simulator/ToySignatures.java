package io.sealbook.simulator;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SigningKey;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Signatures cheap enough to make millions, of the length of real ones: a hash over the signer's public point and the
 * message. Nothing in a simulation signs for another one.
 */
final class ToySignatures implements SignatureVerifier {
    private static final SignatureScheme SCHEME = SignatureScheme.SM2_SM3;
    private static final int KEYS_MAX = 64;
    /** Real points, because the code that reads a genesis file checks that they lie on the curve. */
    private static final VerificationKey[] KEYS =
            IntStream.range(0, KEYS_MAX).mapToObj(ToySignatures::makeKey).toArray(VerificationKey[]::new);

    private static final byte[][] POINTS =
            Arrays.stream(KEYS).map(VerificationKey::point).toArray(byte[][]::new);

    private static VerificationKey makeKey(int index) {
        return signingKey(index).verificationKey();
    }

    /** Returns the real key: approvals of transactions are verified by the code that ships. */
    static SigningKey signingKey(int index) {
        byte[] scalar = ByteBuffer.allocate(32).putInt(28, index + 1).array();
        return SigningKey.of(SCHEME, scalar);
    }

    /** Returns the key of a member, above the members of a broker, and then of machines that replace members'. */
    static VerificationKey key(int index) {
        return KEYS[index];
    }

    static byte[] sign(int index, byte[] message) {
        return signature(POINTS[index], message);
    }

    private static byte[] signature(byte[] point, byte[] message) {
        return Arrays.copyOf(Digest.sha256(point, message).bytes(), SignatureScheme.SIGNATURE_LENGTH);
    }

    static MessageSigner signer(int key) {
        return signedBytes -> sign(key, signedBytes);
    }

    /** Returns whether both signatures of a member's evidence are genuine under a key. */
    static boolean isGenuine(DoubleVote vote, VerificationKey key) {
        return Arrays.equals(
                        signature(key.point(), vote.first()),
                        vote.firstSignature().bytes())
                && Arrays.equals(
                        signature(key.point(), vote.second()),
                        vote.secondSignature().bytes());
    }

    @Override
    public String provider() {
        return "toy";
    }

    @Override
    public int verify(SignatureBatch batch) {
        int valid = 0;
        for (int i = 0; i < batch.size(); i++) {
            int from = batch.messageOffset(i);
            byte[] message = Arrays.copyOfRange(batch.message(i), from, from + batch.messageLength(i));
            int at = batch.signatureOffset(i);
            boolean isValid = Arrays.equals(
                    signature(batch.key(i).point(), message),
                    Arrays.copyOfRange(batch.signatures(), at, at + SignatureScheme.SIGNATURE_LENGTH));
            batch.setValid(i, isValid);
            valid += isValid ? 1 : 0;
        }
        return valid;
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
