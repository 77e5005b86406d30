package io.sealbook.peer.offload;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;

/** The signatures of a burst of votes, verified together. One thread. */
final class SignatureChecks {
    private static final int BATCH_CAPACITY = 1_024;
    private static final int VERIFIED_CAPACITY = 1 << 14;

    private final Epoch epoch;
    private final List<VerificationKey> identities;
    private final SignatureVerifier verifier;
    private final SignatureBatch batch = new SignatureBatch(BATCH_CAPACITY);
    private final VerifiedSignatures verified = new VerifiedSignatures(VERIFIED_CAPACITY);
    private final List<Check> checks = new ArrayList<>();

    SignatureChecks(Epoch epoch, List<VerificationKey> identities, SignatureVerifier verifier) {
        this.epoch = epoch;
        this.identities = identities;
        this.verifier = verifier;
    }

    /** Returns how many signatures have been added since {@link #clear}. */
    int size() {
        return checks.size();
    }

    /** Adds every signature of the message, nested ones too. */
    void add(Message message) {
        message.forEachSignature(epoch, (replica, signedBytes, signature) -> {
            Check check = new Check(replica, signedBytes, signature);
            checks.add(check);
            boolean isPossible =
                    replica >= 0 && replica < identities.size() && signature.length == SignatureScheme.SIGNATURE_LENGTH;
            if (isPossible) {
                check.fingerprint = verified.fingerprint(replica, signedBytes, signature);
                check.isValid = verified.contains(check.fingerprint);
            }
        });
    }

    /**
     * Verifies what has been added and was not known to be valid.
     *
     * @return how many signatures the verifier was given
     */
    int verify() {
        List<Check> waiting = new ArrayList<>();
        for (Check check : checks) {
            if (check.fingerprint != null && !check.isValid) {
                waiting.add(check);
            }
        }
        for (int from = 0; from < waiting.size(); from += BATCH_CAPACITY) {
            verify(waiting.subList(from, Math.min(waiting.size(), from + BATCH_CAPACITY)));
        }
        return waiting.size();
    }

    /** Returns whether all of a range of the added signatures are valid. */
    boolean areValid(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!checks.get(i).isValid) {
                return false;
            }
        }
        return true;
    }

    void clear() {
        checks.clear();
    }

    private void verify(List<Check> part) {
        batch.clear();
        for (Check check : part) {
            batch.add(identities.get(check.replica), check.signedBytes, check.signature);
        }
        verifier.verify(batch);
        for (int i = 0; i < part.size(); i++) {
            Check check = part.get(i);
            check.isValid = batch.isValid(i);
            if (check.isValid) {
                verified.add(check.fingerprint);
            }
        }
        batch.clear();
    }

    private static final class Check {
        final int replica;
        final byte[] signedBytes;
        final byte[] signature;
        /** Null when no key could ever verify it. */
        Digest fingerprint;

        boolean isValid;

        Check(int replica, byte[] signedBytes, byte[] signature) {
            this.replica = replica;
            this.signedBytes = signedBytes;
            this.signature = signature;
        }
    }
}
