package io.sealbook.node.admission;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;

/**
 * What an administrative batch must fulfil before it may be ordered, from a member or from a peer: its structure, and
 * the approvals of a quorum. All of it follows from the genesis file, so that every node judges alike. Number and
 * changes are judged at the block that holds the transaction.
 */
final class AdministrativeRules {
    private AdministrativeRules() {}

    /**
     * Decides about header and length, and fills the length of the slot.
     *
     * @param slot gets the refusal
     * @param header at the batch, which has the template of an administrative one
     */
    static void checkStructure(IngressSlot slot, BatchView header) {
        int length = header.transactionLength();
        if (length < 1 || length > AdministrativeBatch.TRANSACTION_LENGTH_MAX) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + AdministrativeBatch.LENGTH_OFFSET + ": transaction of "
                            + Integer.toUnsignedString(length) + " bytes, expected 1.."
                            + AdministrativeBatch.TRANSACTION_LENGTH_MAX);
            return;
        }
        int expected = AdministrativeBatch.signedLength(length);
        if (slot.bytes.length != expected) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset " + AdministrativeBatch.LENGTH_OFFSET + ": a transaction of " + length + " bytes makes "
                            + expected + " bytes, came " + slot.bytes.length);
        } else if (!header.isAdministrative()) {
            slot.refuse(
                    RefusalReason.MALFORMED,
                    "offset 72: broker " + Integer.toUnsignedString(header.brokerId())
                            + " in an administrative batch, expected 4294967295");
        }
        slot.orderCount = 0;
        slot.batchLength = expected - SignedBatch.SIGNATURE_LENGTH;
    }

    /**
     * Decides about the proposer, and fills its key.
     *
     * @param slot gets the refusal
     * @param header at the batch
     * @param now has the members
     */
    static void checkProposer(IngressSlot slot, BatchView header, DoorTerms now) {
        int node = header.session();
        Membership members = now.membership();
        VerificationKey key = members.identity(node, header.keyId()).orElse(null);
        boolean isMember = members.hasNode(node);
        if (!isMember && (key == null || !slot.isFromPeer())) {
            // A node that lags does not know the last one yet, and a batch of a removed one may still be ordered.
            slot.refuseUnknown(RefusalReason.UNKNOWN_SESSION, "administration session " + node + ", no such node");
            return;
        }
        if (key == null) {
            slot.refuseUnknown(RefusalReason.UNKNOWN_KEY, "key " + header.keyId() + " of node " + node);
        } else if (header.schemeCode() != key.scheme().code()) {
            slot.refuse(
                    RefusalReason.UNKNOWN_KEY,
                    "scheme " + header.schemeCode() + ", key " + header.keyId() + " of node " + node + " is of "
                            + key.scheme().code());
        } else if (!slot.isFromPeer() && header.keyId() != members.identityKeyId(node)) {
            slot.refuseAtPresent(
                    RefusalReason.UNKNOWN_KEY,
                    "key " + header.keyId() + " of node " + node + " was replaced, it signs with key "
                            + members.identityKeyId(node));
        }
        slot.key = key;
    }

    /**
     * Decides about the transaction: whether it is one of this chain, and approved by a quorum. One of a peer may have
     * been approved by identities that were replaced since: all nodes of an epoch know the same ones.
     *
     * @param slot gets the refusal
     * @param header at the batch
     * @param now has the members
     */
    static void checkApprovals(IngressSlot slot, BatchView header, DoorTerms now) {
        try {
            byte[] transaction = AdministrativeBatch.transaction(header);
            if (slot.isFromPeer()) {
                now.membership().approvedAtSomeTime(transaction);
            } else {
                ApprovedTerms.of(transaction, now.membership().terms());
            }
        } catch (IllegalArgumentException e) {
            slot.refuse(RefusalReason.INVALID_TRANSACTION, e.getMessage());
        }
    }
}
