package io.sealbook.consensus.inspect;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.Membership;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Signature;
import java.util.Optional;

/**
 * Decides whether a file of evidence proves that a member signed two statements that exclude each other. Needs the
 * genesis file and, for a key that was added later, the chain. One thread.
 */
final class MemberEvidenceCheck {
    private final Membership membership;
    private final SignatureVerifier verifier;
    private final Report report;

    /**
     * @param membership has all identity keys of the members
     * @param verifier stays the caller's
     * @param report gets every fact and finding
     */
    MemberEvidenceCheck(Membership membership, SignatureVerifier verifier, Report report) {
        this.membership = membership;
        this.verifier = verifier;
        this.report = report;
    }

    /** Reports what the evidence proves; anything that it does not prove is damage. */
    void run(MemberEvidence evidence) {
        DoubleVote vote = evidence.vote();
        report.fact("member", evidence.member() + " with its identity key " + evidence.keyId());
        report.fact(
                "statements",
                "two, " + vote.subject() + " of epoch " + vote.epoch().number());
        if (vote.epoch().chainId() != membership.terms().getChainId()) {
            report.damaged("the statements are of chain "
                    + Long.toUnsignedString(vote.epoch().chainId()));
            return;
        }
        Optional<VerificationKey> key = membership.identity(evidence.member(), evidence.keyId());
        if (key.isEmpty()) {
            report.damaged("the chain knows no such key");
            return;
        }
        boolean isFirstSigned = isSigned("first", key.get(), vote.first(), vote.firstSignature());
        boolean isSecondSigned = isSigned("second", key.get(), vote.second(), vote.secondSignature());
        if (isFirstSigned && isSecondSigned) {
            report.fact("proved", "the member signed both");
        }
    }

    private boolean isSigned(String which, VerificationKey key, byte[] statement, Signature signature) {
        byte[] bytes = signature.bytes();
        boolean isSigned = false;
        if (bytes.length == SignatureScheme.SIGNATURE_LENGTH) {
            SignatureBatch batch = new SignatureBatch(1);
            batch.add(key, statement, bytes);
            verifier.verify(batch);
            isSigned = batch.isValid(0);
        }
        if (!isSigned) {
            report.damaged("the " + which + " statement is not signed with this key");
        }
        return isSigned;
    }
}
