package io.sealbook.perf.experiment;

import io.sealbook.crypto.Secp256k1Recovery;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds the recovery byte as common client libraries do: by trying bytes until the signer's own key comes out. The byte
 * found must be the one that its signer has computed.
 */
record SearchingSigner(Signer signer) implements Signer {
    private static final int V_OFFSET = SignatureScheme.SIGNATURE_LENGTH - 1;
    private static final int V_COUNT = 4;

    @Override
    public SignatureScheme scheme() {
        return signer.scheme();
    }

    @Override
    public VerificationKey verificationKey() {
        return signer.verificationKey();
    }

    @Override
    public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
        byte[] signed = Arrays.copyOfRange(message, offset, offset + length);
        byte[] made = signer.sign(signed);
        int computed = made[V_OFFSET];
        made[V_OFFSET] = (byte) search(signed, made);
        if (made[V_OFFSET] != computed) {
            throw new IllegalStateException("found recovery byte " + made[V_OFFSET] + ", computed " + computed);
        }
        System.arraycopy(made, 0, signature, signatureOffset, made.length);
    }

    private int search(byte[] message, byte[] signature) {
        Optional<VerificationKey> key = Optional.of(verificationKey());
        byte[] candidate = signature.clone();
        for (int v = 0; v < V_COUNT; v++) {
            candidate[V_OFFSET] = (byte) v;
            if (Secp256k1Recovery.recover(message, candidate).equals(key)) {
                return v;
            }
        }
        throw new IllegalStateException("no recovery byte gives the signer's key");
    }
}
