package io.sealbook.consensus.config;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.Membership;

/** What the key in a node's directory is in an epoch. */
public enum IdentityInEpoch {
    /** The node's identity: it takes part. */
    PRESENT,
    /** Of a machine that no transaction has named yet: it follows the chain and waits. */
    AWAITED;

    /**
     * Judges the key of a directory.
     *
     * @param member whose key it is
     * @param membership of the epoch
     * @throws ReplacedIdentityException if the key was the node's before
     * @throws ConfigException if the key is another node's
     */
    public static IdentityInEpoch of(Member member, Membership membership) {
        VerificationKey own = member.identity().verificationKey();
        for (int node = 0; node < membership.formerNodeCount(); node++) {
            int present = membership.hasNode(node) ? membership.identityKeyId(node) : Integer.MAX_VALUE;
            for (int keyId = 0; membership.identity(node, keyId).isPresent(); keyId++) {
                if (!own.equals(membership.identity(node, keyId).orElseThrow())) {
                    continue;
                }
                if (node != member.nodeId()) {
                    throw new ConfigException(
                            "node.key is a key of node " + node + ", node.properties has node-id=" + member.nodeId());
                }
                if (keyId < present) {
                    throw new ReplacedIdentityException(node, membership.epoch());
                }
                return PRESENT;
            }
        }
        return AWAITED;
    }

    public boolean takesPart() {
        return this == PRESENT;
    }
}
