package io.sealbook.simulator;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.node.member.AgreementEpoch;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.check.SignatureChecks;
import io.sealbook.peer.check.VoteForm;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.protocol.v1.Parameters;
import java.util.List;
import java.util.stream.IntStream;

/** What a life of a node checks of each vote before agreement hears of it, with the code that ships. */
final class VoteChecks {
    private final AgreementEpoch epoch;
    private final VoteForm form;
    private final SignatureChecks signatures;

    /**
     * @param chainId of the chain
     * @param epoch of the life
     * @param verifier of the signatures
     */
    VoteChecks(long chainId, AgreementEpoch epoch, SignatureVerifier verifier) {
        this.epoch = epoch;
        List<VerificationKey> identities = IntStream.range(0, epoch.nodeCount())
                .mapToObj(epoch.membership()::identity)
                .toList();
        Parameters parameters = epoch.terms().getParameters();
        form = new VoteForm(epoch.nodeCount(), parameters.getLogWindow(), parameters.getBlockMaxBatches());
        signatures = new SignatureChecks(new Epoch(chainId, epoch.number()), identities, verifier);
    }

    /**
     * Returns whether agreement may hear of a vote.
     *
     * @param vote as it came
     * @param peer that it came from
     * @param epochOfPeer in which the peer is
     * @throws MalformedMessageException if no correct node sends it
     */
    boolean isGenuine(Message vote, int peer, int epochOfPeer) throws MalformedMessageException {
        VoteForm.requireSender(vote, peer);
        if (vote instanceof CheckpointProof proof
                && proof.certificate().sequence() <= epoch.origin().sequence()) {
            // Sent to an earlier life, whose connection ended with it.
            return false;
        }
        (epochOfPeer == epoch.number() ? form : VoteForm.OF_ANY_EPOCH).require(vote);
        SignatureChecks.VoteSignatures ofVote = signatures.add(vote, peer);
        signatures.verify();
        signatures.clear();
        return ofVote.areValid();
    }
}
