package io.sealbook.node.follow;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Genesis;
import java.util.List;

/** Verifies signed heads by the members' keys of the genesis file. One thread at a time. */
public final class HeadVerifier {
    private final long chainId;
    private final List<VerificationKey> keys;
    private final SignatureVerifier verifier;

    /**
     * @param genesis names the members' keys
     * @param verifier stays the caller's
     */
    public HeadVerifier(Genesis genesis, SignatureVerifier verifier) {
        this.chainId = genesis.getChainId();
        this.keys = genesis.getNodesList().stream()
                .map(node -> VerificationKey.of(
                        SignatureScheme.of(node.getIdentity().getSchemeValue()),
                        node.getIdentity().getPoint().toByteArray()))
                .toList();
        this.verifier = verifier;
    }

    /** Returns whether the head names a member and bears its valid signature. */
    public boolean isValid(MemberHead head) {
        if (head.nodeId() < 0
                || head.nodeId() >= keys.size()
                || head.sequence() < 1
                || head.signature().length != SignatureScheme.SIGNATURE_LENGTH) {
            return false;
        }
        byte[] signed = MemberHead.signedBytes(chainId, head.sequence(), head.blockHash());
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(keys.get(head.nodeId()), signed, 0, signed.length, head.signature(), 0);
        return verifier.verify(batch) == 1;
    }

    /** Returns the number of members. */
    int memberCount() {
        return keys.size();
    }
}
