package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.member.TransactionFate;
import io.sealbook.protocol.v1.MembershipView;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.TransactionOutcome;

/** Answers what the consortium is at present. Stateless. */
final class MembershipViews {
    private MembershipViews() {}

    /**
     * Returns the answer of a node.
     *
     * @param nodeId of the node
     * @param present what it has executed
     */
    static MembershipView of(int nodeId, ChainMembership.Present present) {
        MembershipView.Builder view = MembershipView.newBuilder()
                .setNodeId(nodeId)
                .setBlock(present.block())
                .setNumber(present.membership().number())
                .setDigest(ByteString.copyFrom(present.membership().digest().bytes()))
                .setTerms(present.membership().terms())
                .setEpoch(present.membership().epoch())
                .setEpochBlock(present.membership().epochBlock());
        for (Node node : present.membership().terms().getNodesList()) {
            view.addIdentityKeyIds(present.membership().identityKeyId(node.getNodeId()));
        }
        present.recent().forEach(fate -> view.addRecent(of(fate)));
        return view.build();
    }

    private static TransactionOutcome of(TransactionFate fate) {
        return TransactionOutcome.newBuilder()
                .setBlock(fate.block())
                .setNumber(fate.number())
                .setProposer(fate.proposer())
                .setBatchId(ByteString.copyFrom(fate.batchId().bytes()))
                .setRefusal(fate.refusal())
                .setReason(fate.reason())
                .build();
    }
}
