package io.sealbook.peer.check;

import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PeerMessageCodec;
import java.util.List;

/**
 * The form that every vote of a correct node has in whatever state the node is: its lists are ascending, without
 * repetition, and no longer than the configuration allows. It is judged before any signature is verified and bounds how
 * many signatures one vote can bring.
 *
 * @param nodeCount nodes of the epoch
 * @param windowMax block numbers between the watermarks
 * @param batchesMax batches, and so sessions, that a block names
 */
public record VoteForm(int nodeCount, int windowMax, int batchesMax) {
    /** Of what a peer in a later epoch proves, which may have more nodes: as many as any epoch can have. */
    public static final VoteForm OF_ANY_EPOCH =
            new VoteForm(PeerMessageCodec.REPLICAS_MAX, Integer.MAX_VALUE, Integer.MAX_VALUE);

    /**
     * Checks that a message without a signature is that of the peer whose connection it came on.
     *
     * @param message as it came
     * @param peer whose connection it came on, from 0
     * @throws MalformedMessageException if nothing proves whose it is
     */
    public static void requireSender(Message message, int peer) throws MalformedMessageException {
        if (!message.isSigned() && message.sender() != peer) {
            throw new MalformedMessageException(
                    "unsigned and of node " + message.sender() + ", sent by node " + peer, 0);
        }
    }

    /**
     * Checks the form.
     *
     * @throws MalformedMessageException if no correct node sends such a message
     */
    public void require(Message message) throws MalformedMessageException {
        switch (message) {
            case PrePrepare prePrepare -> requireProposal(prePrepare);
            case CheckpointProof proof -> requireStable(proof.certificate());
            case ViewChange viewChange -> requireViewChange(viewChange);
            case NewView newView -> requireNewView(newView);
            default -> {
                // One signature, or none.
            }
        }
    }

    private void requireNewView(NewView newView) throws MalformedMessageException {
        int previous = -1;
        for (ViewChange viewChange : newView.viewChanges()) {
            requireAscending("VIEW-CHANGE of node", previous, viewChange.sender());
            previous = viewChange.sender();
            requireViewChange(viewChange);
        }
        if (newView.prePrepares().size() > windowMax) {
            throw new MalformedMessageException(newView.prePrepares().size() + " proposals in a NEW-VIEW", 0);
        }
        for (PrePrepare prePrepare : newView.prePrepares()) {
            requireProposal(prePrepare);
        }
    }

    private void requireViewChange(ViewChange viewChange) throws MalformedMessageException {
        requireStable(viewChange.stableCertificate());
        if (viewChange.prepared().size() > windowMax) {
            throw new MalformedMessageException(viewChange.prepared().size() + " certificates in a VIEW-CHANGE", 0);
        }
        long previous = viewChange.stableCertificate().sequence();
        for (PreparedCertificate certificate : viewChange.prepared()) {
            if (certificate.sequence() <= previous) {
                throw new MalformedMessageException(
                        "certificate of block " + certificate.sequence() + " after block " + previous, 0);
            }
            previous = certificate.sequence();
            requireProposal(certificate.prePrepare());
            requireSigners(certificate.prepares());
        }
    }

    private void requireProposal(PrePrepare prePrepare) throws MalformedMessageException {
        int sessions = prePrepare.proposal().ends().size();
        if (sessions > batchesMax) {
            throw new MalformedMessageException(sessions + " sessions in a proposal, at most " + batchesMax, 0);
        }
    }

    private void requireStable(StableCertificate certificate) throws MalformedMessageException {
        requireSigners(certificate.signatures());
    }

    private void requireSigners(List<ReplicaSignature> signatures) throws MalformedMessageException {
        int previous = -1;
        for (ReplicaSignature signature : signatures) {
            requireAscending("signature of node", previous, signature.replica());
            previous = signature.replica();
        }
    }

    private void requireAscending(String what, int previous, int replica) throws MalformedMessageException {
        if (replica <= previous || replica >= nodeCount) {
            throw new MalformedMessageException(
                    what + " " + replica + " after " + previous + ", of " + nodeCount + " nodes", 0);
        }
    }
}
