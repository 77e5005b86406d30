package io.sealbook.simulator;

import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Signatures cheap enough to make millions: a hash over a key that only the signer's shell uses. */
final class ToySignatures {
    private ToySignatures() {}

    static MessageSigner signer(int replica) {
        byte[] key = ByteBuffer.allocate(8).putInt(0x5ea1b00c).putInt(replica).array();
        return signedBytes -> Digest.sha256(key, signedBytes).bytes();
    }

    /** Returns whether every signature in the message is genuine. */
    static boolean isGenuine(Message message, long chainId, int replicaCount) {
        boolean[] isGenuine = {true};
        message.forEachSignature(
                chainId,
                (replica, signedBytes, signature) -> isGenuine[0] &= 0 <= replica
                        && replica < replicaCount
                        && Arrays.equals(signer(replica).sign(signedBytes), signature));
        return isGenuine[0];
    }
}
