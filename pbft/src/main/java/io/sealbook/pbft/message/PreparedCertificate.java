package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * Proof that a quorum accepted one proposal in one view: the primary's PRE-PREPARE, which counts as its vote, and the
 * signatures of the PREPAREs of Q - 1 others (predicate prepared of TOCS 2002, section 4.2).
 *
 * @param prepares of distinct replicas other than the primary, ascending
 */
public record PreparedCertificate(PrePrepare prePrepare, List<ReplicaSignature> prepares) {
    public PreparedCertificate {
        prepares = List.copyOf(prepares);
    }

    public long view() {
        return prePrepare.view();
    }

    public long sequence() {
        return prePrepare.sequence();
    }

    public Digest digest() {
        return prePrepare.proposal().digest();
    }

    public Proposal proposal() {
        return prePrepare.proposal();
    }

    /**
     * Names every signature with the bytes it covers.
     *
     * @param epoch the receiver's own: a signature for another chain or epoch then fails
     * @param sink called once per signature, in a fixed order
     */
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        prePrepare.forEachSignature(epoch, sink);
        for (ReplicaSignature prepare : prepares) {
            sink.accept(
                    prepare.replica(),
                    Prepare.signedBytes(epoch, view(), sequence(), digest(), prepare.replica()),
                    prepare.signature().bytes());
        }
    }
}
