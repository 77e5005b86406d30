package io.sealbook.peer.check;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;

/**
 * The signatures of a burst of votes, verified together, and in rounds: first a few of each vote, beginning with its
 * sender's own, then twice as many. With the first bad signature all that is left of the same peer is given up, so that
 * junk costs its receiver no more than the good signatures before it. One thread.
 */
public final class SignatureChecks {
    private static final int BATCH_CAPACITY = 1_024;
    private static final int VERIFIED_CAPACITY = 1 << 14;
    /**
     * Signatures of one vote in the first round: a PRE-PREPARE, or a certificate of the largest cluster, is one round.
     */
    private static final int FIRST_ROUND = 16;

    private final Epoch epoch;
    private final List<VerificationKey> identities;
    private final SignatureVerifier verifier;
    private final SignatureBatch batch = new SignatureBatch(BATCH_CAPACITY);
    private final VerifiedSignatures verified = new VerifiedSignatures(VERIFIED_CAPACITY);
    private final List<VoteSignatures> votes = new ArrayList<>();

    /**
     * @param epoch in which the votes count
     * @param identities identity key of each node in this epoch
     * @param verifier stays the caller's
     */
    public SignatureChecks(Epoch epoch, List<VerificationKey> identities, SignatureVerifier verifier) {
        this.epoch = epoch;
        this.identities = identities;
        this.verifier = verifier;
    }

    /**
     * Adds every signature of a message, nested ones too.
     *
     * @param message as it came
     * @param peer that sent it, from 0
     */
    public VoteSignatures add(Message message, int peer) {
        VoteSignatures vote = new VoteSignatures(peer);
        message.forEachSignature(epoch, (replica, signedBytes, signature) -> {
            Digest fingerprint = null;
            boolean isPossible =
                    replica >= 0 && replica < identities.size() && signature.length == SignatureScheme.SIGNATURE_LENGTH;
            if (isPossible) {
                fingerprint = verified.fingerprint(replica, signedBytes, signature);
            }
            if (fingerprint == null || !verified.contains(fingerprint)) {
                vote.checks.add(new Check(replica, signedBytes, signature, fingerprint));
            }
        });
        votes.add(vote);
        return vote;
    }

    /**
     * Verifies what has been added and was not known to be valid, until the first bad signature of each peer.
     *
     * @return how many signatures the verifier was given
     */
    public int verify() {
        int given = 0;
        List<Check> round = new ArrayList<>();
        for (int share = FIRST_ROUND; ; share = Math.min(2 * share, BATCH_CAPACITY)) {
            long badPeers = badPeers();
            round.clear();
            for (VoteSignatures vote : votes) {
                if ((badPeers >> vote.peer & 1) == 0) {
                    vote.take(share, round);
                }
            }
            if (round.isEmpty()) {
                return given;
            }
            for (int from = 0; from < round.size(); from += BATCH_CAPACITY) {
                verify(round.subList(from, Math.min(round.size(), from + BATCH_CAPACITY)));
            }
            given += round.size();
            votes.forEach(VoteSignatures::judge);
        }
    }

    /** Returns a bit for each peer one of whose votes has a bad signature. */
    private long badPeers() {
        long peers = 0;
        for (VoteSignatures vote : votes) {
            peers |= vote.isBad ? 1L << vote.peer : 0;
        }
        return peers;
    }

    /** Forgets the votes; what was found valid stays known. */
    public void clear() {
        votes.clear();
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

    /** The signatures of one vote that were not known to be valid. */
    public static final class VoteSignatures {
        private final int peer;
        private final List<Check> checks = new ArrayList<>();
        private int taken;
        private boolean isBad;

        private VoteSignatures(int peer) {
            this.peer = peer;
        }

        /** Returns whether all signatures are valid. */
        public boolean areValid() {
            for (Check check : checks) {
                if (!check.isValid) {
                    return false;
                }
            }
            return true;
        }

        /** Returns whether a signature is bad; the others may not have been verified. */
        public boolean isBad() {
            return isBad;
        }

        /** Returns how many signatures the verifier was given. */
        public int taken() {
            return taken;
        }

        private void take(int share, List<Check> round) {
            for (int end = Math.min(checks.size(), taken + share); taken < end && !isBad; ) {
                Check check = checks.get(taken);
                // No key could ever verify it; what was taken before it is verified in this round all the same.
                isBad = check.fingerprint == null;
                if (!isBad) {
                    round.add(check);
                    taken++;
                }
            }
        }

        private void judge() {
            for (int i = 0; i < taken && !isBad; i++) {
                isBad = !checks.get(i).isValid;
            }
        }
    }

    private static final class Check {
        final int replica;
        final byte[] signedBytes;
        final byte[] signature;
        /** Null when no key could ever verify it. */
        final Digest fingerprint;

        boolean isValid;

        Check(int replica, byte[] signedBytes, byte[] signature, Digest fingerprint) {
            this.replica = replica;
            this.signedBytes = signedBytes;
            this.signature = signature;
            this.fingerprint = fingerprint;
        }
    }
}
