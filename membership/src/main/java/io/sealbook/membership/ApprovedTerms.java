package io.sealbook.membership;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisRules;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Approval;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * A transaction whose approvals were checked: a quorum of nodes has signed its terms, and no approval is wrong.
 *
 * @param bytes of the terms, as the nodes signed them
 * @param terms decoded
 * @param approvers nodes that signed
 */
public record ApprovedTerms(byte[] bytes, AdministrativeTerms terms, SortedSet<Integer> approvers) {
    /** Bytes of a transaction with its approvals at most. */
    public static final int TRANSACTION_LENGTH_MAX = AdministrativeBatch.TRANSACTION_LENGTH_MAX;

    static final int CHANGES_MAX = 256;
    private static final int REASON_LENGTH_MAX = 1_000;
    private static final byte[] TAG = "SBADMIN1".getBytes(StandardCharsets.US_ASCII);
    private static final SignatureVerifier SIGNATURES = SignatureProviders.named(BouncyCastleProvider.NAME);

    /**
     * Checks a transaction: structure, chain and approvals. Its number and its changes are not judged.
     *
     * @param transaction bytes of an AdministrativeTransaction
     * @param genesis of the chain, or a later configuration of it
     * @throws IllegalArgumentException if anything is wrong; the message names the fact
     */
    public static ApprovedTerms of(byte[] transaction, Genesis genesis) {
        int nodeCount = genesis.getNodesCount();
        return of(transaction, genesis, nodeCount, quorum(nodeCount), presentIdentities(genesis));
    }

    private static IntFunction<List<VerificationKey>> presentIdentities(Genesis genesis) {
        return nodeId -> List.of(MemberKeys.keyOf(genesis.getNodes(nodeId).getIdentity()));
    }

    /**
     * Checks a transaction as {@link #of(byte[], Genesis)} does, by all nodes of the chain's life and all their keys.
     *
     * @param transaction bytes of an AdministrativeTransaction
     * @param genesis of the chain, or a later configuration of it
     * @param nodeCount largest number of nodes so far
     * @param identities keys of a node, of which one must have made its approval
     */
    static ApprovedTerms atSomeTime(
            byte[] transaction, Genesis genesis, int nodeCount, IntFunction<List<VerificationKey>> identities) {
        return of(transaction, genesis, nodeCount, quorum(GenesisRules.NODES_MIN), identities);
    }

    private static ApprovedTerms of(
            byte[] transaction,
            Genesis genesis,
            int nodeCount,
            int quorum,
            IntFunction<List<VerificationKey>> identities) {
        AdministrativeTransaction message = decode(transaction);
        byte[] bytes = message.getTerms().toByteArray();
        AdministrativeTerms terms = terms(message, genesis);
        SortedSet<Integer> approvers = approvers(message, nodeCount, identities);
        require(approvers.size() >= quorum, "approved by nodes " + approvers + ", expected " + quorum + " nodes");
        return new ApprovedTerms(bytes, terms, approvers);
    }

    /**
     * Reads a transaction, whatever its approvals are.
     *
     * @throws IllegalArgumentException if these bytes are none
     */
    public static AdministrativeTransaction decode(byte[] transaction) {
        require(
                transaction.length <= TRANSACTION_LENGTH_MAX,
                "transaction of " + transaction.length + " bytes, at most " + TRANSACTION_LENGTH_MAX);
        try {
            return AdministrativeTransaction.parseFrom(transaction);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("no transaction: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the terms of a transaction after a check of their structure and chain.
     *
     * @param transaction with or without approvals
     * @param genesis of the chain
     * @throws IllegalArgumentException if anything is wrong; the message names the fact
     */
    public static AdministrativeTerms terms(AdministrativeTransaction transaction, Genesis genesis) {
        try {
            AdministrativeTerms terms = AdministrativeTerms.parseFrom(transaction.getTerms());
            require(
                    terms.getChainId() == genesis.getChainId(),
                    "transaction of chain " + Long.toUnsignedString(terms.getChainId()) + ", this is "
                            + Long.toUnsignedString(genesis.getChainId()));
            int changes = terms.getChangesCount();
            require(1 <= changes && changes <= CHANGES_MAX, changes + " changes, expected 1.." + CHANGES_MAX);
            require(
                    terms.getReason().length() <= REASON_LENGTH_MAX,
                    "reason of " + terms.getReason().length() + " characters, at most " + REASON_LENGTH_MAX);
            return terms;
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("no terms: " + e.getMessage(), e);
        }
    }

    /**
     * Returns the nodes that have approved a transaction.
     *
     * @param transaction whose approvals are checked
     * @param genesis has the identity keys
     * @throws IllegalArgumentException if an approval is wrong, or a node has two
     */
    public static SortedSet<Integer> approvers(AdministrativeTransaction transaction, Genesis genesis) {
        return approvers(transaction, genesis.getNodesCount(), presentIdentities(genesis));
    }

    private static SortedSet<Integer> approvers(
            AdministrativeTransaction transaction, int nodeCount, IntFunction<List<VerificationKey>> identities) {
        SortedSet<Integer> approvers = new TreeSet<>();
        if (transaction.getApprovalsCount() == 0) {
            return approvers;
        }
        require(
                transaction.getApprovalsCount() <= nodeCount,
                transaction.getApprovalsCount() + " approvals of " + nodeCount + " nodes");
        byte[] signed = signedBytes(transaction.getTerms());
        for (Approval approval : transaction.getApprovalsList()) {
            int nodeId = approval.getNodeId();
            String name = "approval of node " + Integer.toUnsignedString(nodeId);
            require(Integer.compareUnsigned(nodeId, nodeCount) < 0, name + ": unknown node");
            require(approvers.add(nodeId), name + " occurs twice");
            require(
                    approval.getSignature().size() == SignatureScheme.SIGNATURE_LENGTH,
                    name + ": signature of " + approval.getSignature().size() + " bytes, expected "
                            + SignatureScheme.SIGNATURE_LENGTH);
            byte[] signature = approval.getSignature().toByteArray();
            require(
                    identities.apply(nodeId).stream().anyMatch(identity -> isSignedBy(identity, signed, signature)),
                    name + " is not signed by it");
        }
        return approvers;
    }

    private static boolean isSignedBy(VerificationKey identity, byte[] signed, byte[] signature) {
        SignatureBatch one = new SignatureBatch(1);
        one.add(identity, signed, signature);
        return SIGNATURES.verify(one) == 1;
    }

    /**
     * Adds the approval of a node, in the place of an earlier one.
     *
     * @param transaction to approve
     * @param nodeId of the node
     * @param identity signs with the node's identity key
     */
    public static AdministrativeTransaction approve(
            AdministrativeTransaction transaction, int nodeId, Signer identity) {
        AdministrativeTransaction.Builder approved = transaction.toBuilder().clearApprovals();
        transaction.getApprovalsList().stream()
                .filter(approval -> approval.getNodeId() != nodeId)
                .forEach(approved::addApprovals);
        return approved.addApprovals(Approval.newBuilder()
                        .setNodeId(nodeId)
                        .setSignature(ByteString.copyFrom(identity.sign(signedBytes(transaction.getTerms())))))
                .build();
    }

    private static byte[] signedBytes(ByteString terms) {
        byte[] digest = Digest.sha256(terms.toByteArray()).bytes();
        byte[] signed = new byte[TAG.length + digest.length];
        System.arraycopy(TAG, 0, signed, 0, TAG.length);
        System.arraycopy(digest, 0, signed, TAG.length, digest.length);
        return signed;
    }

    /** Returns Q = ceil((n + f + 1) / 2) with f = floor((n - 1) / 3), the quorum of agreement. */
    static int quorum(int nodeCount) {
        int faulty = (nodeCount - 1) / 3;
        return (nodeCount + faulty + 2) / 2;
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
