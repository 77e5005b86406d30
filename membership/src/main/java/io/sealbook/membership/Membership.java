package io.sealbook.membership;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.FormerIdentity;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MembershipState;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The configuration of a chain after a number of administrative transactions. Equal genesis files and equal
 * transactions give equal memberships on every machine. Immutable; any thread.
 */
public final class Membership {
    /** The last epoch: nodes name theirs in two bytes. */
    static final int EPOCH_MAX = 0xFFFF;

    /** A transaction adds no node beyond this number. */
    public static final int NODES_MAX = 13;

    private static final byte[] START_TAG = "SBMEMBER".getBytes(StandardCharsets.US_ASCII);

    private final Genesis terms;
    private final long number;
    private final Digest digest;
    private final MemberKeys keys;
    private final int epoch;
    private final long epochBlock;
    private final List<FormerIdentity> formerIdentities;

    /**
     * What became of a transaction.
     *
     * @param membership after it; the same object as before if it was refused
     * @param refusal the fact that speaks against it; empty if it was executed
     */
    public record Outcome(Membership membership, String refusal) {
        /** Returns whether the transaction changed anything. */
        public boolean isExecuted() {
            return refusal.isEmpty();
        }
    }

    /** @param keysOf returns the keys of the state */
    private Membership(MembershipState state, Function<MembershipState, MemberKeys> keysOf) {
        terms = state.getTerms();
        int version = ProtocolVersion.of(terms.getParameters());
        if (!ProtocolVersion.isKnown(version)) {
            throw new UnknownProtocolVersionException(version);
        }
        number = state.getNumber();
        digest = Digest.of(state.getDigest().toByteArray());
        keys = keysOf.apply(state);
        epoch = state.getEpoch();
        epochBlock = state.getEpochBlock();
        formerIdentities = state.getFormerIdentitiesList();
    }

    /**
     * Returns the membership before the first transaction.
     *
     * @param genesis of the chain, with its defaults
     * @throws IllegalArgumentException if a key is not on its curve
     * @throws UnknownProtocolVersionException if this build does not follow the version of its rules
     */
    public static Membership of(Genesis genesis) {
        ByteBuffer start = ByteBuffer.allocate(START_TAG.length + Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(START_TAG)
                .putLong(genesis.getChainId());
        return new Membership(
                MembershipState.newBuilder()
                        .setTerms(genesis)
                        .setDigest(bytes(Digest.sha256(start.array())))
                        .build(),
                MemberKeys::new);
    }

    /**
     * Executes the next transaction of the chain.
     *
     * @param transaction bytes of an AdministrativeTransaction
     * @param block that holds it: changes are in effect from the next one on
     * @throws UnknownProtocolVersionException if it raises the version of the rules beyond what this build follows
     */
    public Outcome apply(byte[] transaction, long block) {
        try {
            ApprovedTerms approved = ApprovedTerms.of(transaction, terms);
            AdministrativeTerms wanted = approved.terms();
            if (wanted.getNumber() != number + 1) {
                return refused(
                        "transaction " + Long.toUnsignedString(wanted.getNumber()) + ", expected " + (number + 1));
            }
            KnownFields.require(wanted, approved.bytes());
            MembershipState changed = new MembershipChanges(state(), block).apply(wanted.getChangesList());
            Digest after = digestAfter(approved.bytes(), block);
            return new Outcome(
                    new Membership(
                            changed.toBuilder()
                                    .setNumber(number + 1)
                                    .setDigest(bytes(after))
                                    .build(),
                            keys::after),
                    "");
        } catch (IllegalArgumentException e) {
            return refused(e.getMessage());
        }
    }

    /**
     * Checks a transaction as {@link #apply} does, and takes approvals of identities that nodes had before, too: it may
     * have been approved before a node was replaced, added or removed, and another node may have taken it then. The
     * quorum of the fewest nodes suffices. Its number and its changes are not judged.
     *
     * @param transaction bytes of an AdministrativeTransaction
     * @throws IllegalArgumentException if anything is wrong; the message names the fact
     */
    public ApprovedTerms approvedAtSomeTime(byte[] transaction) {
        return ApprovedTerms.atSomeTime(transaction, terms, formerNodeCount(), keys::node);
    }

    private Outcome refused(String fact) {
        return new Outcome(this, fact);
    }

    private Digest digestAfter(byte[] executedTerms, long block) {
        byte[] blockBytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(block)
                .array();
        return Digest.sha256(digest.bytes(), blockBytes, executedTerms);
    }

    /**
     * Returns the present configuration in the form of a genesis. Brokers, keys, instruments and auditors are in the
     * order in which they came, and none is ever taken out.
     */
    public Genesis terms() {
        return terms;
    }

    /** Returns how many transactions were executed. */
    public long number() {
        return number;
    }

    /**
     * Returns the digest of all executed transactions: SHA-256 over the digest before, the block (8 bytes,
     * little-endian) and the terms; before the first, SHA-256 over "SBMEMBER" and the chain id (8 bytes,
     * little-endian).
     */
    public Digest digest() {
        return digest;
    }

    /**
     * Returns a broker's key with the blocks in which it counts; empty if the broker never had it.
     *
     * @param brokerId unsigned
     * @param keyId as in a batch
     */
    public Optional<KeyTerm> key(int brokerId, int keyId) {
        return Optional.ofNullable(keys.broker(brokerId, keyId));
    }

    /**
     * Returns a node's present identity key.
     *
     * @throws IndexOutOfBoundsException if there is no such node
     */
    public VerificationKey identity(int nodeId) {
        return keys.node(nodeId).get(identityKeyId(nodeId));
    }

    /**
     * Returns an identity key that a node has or had, also one that was removed; empty if there is none.
     *
     * @param nodeId unsigned
     * @param keyId as in an administrative batch: how many identity keys the node had before this one
     */
    public Optional<VerificationKey> identity(int nodeId, int keyId) {
        boolean isNode = Integer.compareUnsigned(nodeId, formerNodeCount()) < 0;
        return isNode && 0 <= keyId && keyId < keys.node(nodeId).size()
                ? Optional.of(keys.node(nodeId).get(keyId))
                : Optional.empty();
    }

    /**
     * Returns the key id of a node's present identity key.
     *
     * @throws IndexOutOfBoundsException if there is no such node
     */
    public int identityKeyId(int nodeId) {
        Objects.checkIndex(nodeId, terms.getNodesCount());
        return keys.node(nodeId).size() - 1;
    }

    /** Returns whether there is a node with this id at present. */
    public boolean hasNode(int nodeId) {
        return Integer.compareUnsigned(nodeId, terms.getNodesCount()) < 0;
    }

    /** Returns the largest number of nodes that there ever were: each had an id below it. */
    public int formerNodeCount() {
        return keys.nodeCount();
    }

    /**
     * Returns the epoch of agreement in which the next block is ordered: how many blocks have changed nodes or
     * parameters.
     */
    public int epoch() {
        return epoch;
    }

    /** Returns the last block that changed nodes or parameters and so ended its epoch; 0 if none did. */
    public long epochBlock() {
        return epochBlock;
    }

    /** Returns the version of the rules for the next block. */
    public int protocolVersion() {
        return ProtocolVersion.of(terms.getParameters());
    }

    /** Returns how many nodes must approve a transaction. */
    public int quorum() {
        return ApprovedTerms.quorum(terms.getNodesCount());
    }

    /** Returns the bytes that {@link #decode} reads: an encoded MembershipState. */
    public byte[] encode() {
        return state().toByteArray();
    }

    private MembershipState state() {
        return MembershipState.newBuilder()
                .setNumber(number)
                .setDigest(bytes(digest))
                .setTerms(terms)
                .setEpoch(epoch)
                .setEpochBlock(epochBlock)
                .addAllFormerIdentities(formerIdentities)
                .build();
    }

    private static ByteString bytes(Digest digest) {
        return ByteString.copyFrom(digest.bytes());
    }

    /**
     * Restores a membership.
     *
     * @param genesis of the chain
     * @param bytes from {@link #encode}; trusted otherwise: only the chain proves a membership
     * @throws IllegalArgumentException if the bytes are of another chain, or none
     * @throws UnknownProtocolVersionException if this build does not follow the version of its rules
     */
    public static Membership decode(Genesis genesis, byte[] bytes) {
        try {
            MembershipState state = MembershipState.parseFrom(bytes);
            if (state.getTerms().getChainId() != genesis.getChainId()) {
                throw new IllegalArgumentException("membership of chain "
                        + Long.toUnsignedString(state.getTerms().getChainId()) + ", this is "
                        + Long.toUnsignedString(genesis.getChainId()));
            }
            return new Membership(state, MemberKeys::new);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("no membership: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "membership " + number;
    }
}
