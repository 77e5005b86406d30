package io.sealbook.node.member;

import io.sealbook.membership.Membership;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.protocol.v1.Genesis;

/**
 * The epoch in which a node's replica takes part: fixed for a life of the node.
 *
 * @param number 0 from the genesis file on
 * @param membership whose nodes and parameters agree
 * @param origin certificate of the last block before the epoch; {@link StableCertificate#GENESIS} in epoch 0
 */
public record AgreementEpoch(int number, Membership membership, StableCertificate origin) {
    /** Returns nodes and parameters in the form of a genesis. */
    public Genesis terms() {
        return membership.terms();
    }

    /** Returns the number of nodes that agree. */
    public int nodeCount() {
        return membership.terms().getNodesCount();
    }
}
