package io.sealbook.consensus.inspect;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.protocol.KeySessions;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;

/**
 * Decides whether a file of evidence proves that a broker, or a member in its administration session, signed two
 * batches under one number, or a member two votes that exclude each other. Needs the genesis file and, for a key that
 * was added later, the chain. One thread.
 */
public final class EvidenceCheck {
    private final Membership membership;
    private final SignatureVerifier verifier;
    private final BrokerSignatures signatures;
    private final Report report;

    /**
     * @param membership has the keys of brokers and members
     * @param verifier stays the caller's
     * @param report gets every fact and finding
     */
    public EvidenceCheck(Membership membership, SignatureVerifier verifier, Report report) {
        this.membership = membership;
        this.verifier = verifier;
        this.signatures = new BrokerSignatures(verifier);
        this.report = report;
    }

    /** Reports what the bytes of a file of evidence prove; anything that they do not prove is damage. */
    public void run(byte[] file) {
        MemberEvidence ofMember = MemberEvidence.decode(file);
        if (ofMember != null) {
            new MemberEvidenceCheck(membership, verifier, report).run(ofMember);
            return;
        }
        Equivocation evidence = EvidenceStore.decode(file);
        if (evidence == null) {
            report.damaged("the file is no evidence of two batches under one number, nor of two votes");
            return;
        }
        report.fact("session", SessionKey.name(evidence.sessionKey()));
        report.fact("number", Long.toUnsignedString(evidence.number()));
        boolean isFirstSigned =
                isSigned("first batch", evidence.first()) && isInItsSession("first batch", evidence.first());
        boolean isSecondSigned =
                isSigned("second batch", evidence.second()) && isInItsSession("second batch", evidence.second());
        if (isFirstSigned && isSecondSigned) {
            boolean isMember = SessionKey.isAdministration(evidence.sessionKey());
            report.fact("proved", "the " + (isMember ? "member" : "broker") + " signed both");
        }
    }

    private boolean isSigned(String name, byte[] batch) {
        Digest batchId = BatchId.of(batch);
        BatchView view = new BatchView().wrap(batch);
        report.fact(
                name,
                batchId + ", valid until block " + view.validUntilBlock() + ", sent at " + view.sentTimeNs() + " ns");
        boolean isSigned =
                signatures.faults(blockOf(batchId, batch), membership).isEmpty();
        if (!isSigned) {
            report.damaged(name + " is not signed for this chain with a known key");
        }
        return isSigned;
    }

    /** No node takes a batch of another session than those of its key. */
    private boolean isInItsSession(String name, byte[] batch) {
        BatchView view = new BatchView().wrap(batch);
        if (view.isAdministrative()) {
            return true;
        }
        KeySessions sessions = KeySessions.of(membership.terms().getParameters(), view.keyId());
        boolean has = sessions.has(view.session());
        if (!has) {
            report.damaged(
                    name + " is in session " + view.session() + ", key " + view.keyId() + " signs in " + sessions);
        }
        return has;
    }

    /** Signatures are verified in blocks; this one is in no chain. */
    private static Block blockOf(Digest batchId, byte[] batch) {
        return Block.wrap(new BlockBuilder()
                .begin(1, 0, 0, Digest.ZERO, Digest.ZERO)
                .add(batchId, 0, batch, 0, batch.length)
                .build());
    }
}
