package io.sealbook.consensus.status;

import com.google.protobuf.ByteString;
import io.sealbook.consensus.config.EnginePlace;
import io.sealbook.consensus.config.IdentityInEpoch;
import io.sealbook.consensus.config.Member;
import io.sealbook.membership.Membership;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.restart.StartUp;
import io.sealbook.node.status.NodePhase;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Quorum;
import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.ProductVersion;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The node's state as brokers, auditors and operators read it. Any thread.
 *
 * @param member whose state it is
 * @param state published by agent, committer and result thread
 * @param metrics counts what was committed since the start
 * @param membership what the blocks have made of the consortium
 * @param identity what the node's key is in its epoch
 * @param window what the archive held at the start
 * @param connected members that are connected
 * @param verifier what verifies signatures at present
 */
public record StatusReport(
        Member member,
        NodeState state,
        NodeMetrics metrics,
        ChainMembership membership,
        IdentityInEpoch identity,
        StartUp.Window window,
        Supplier<Set<Integer>> connected,
        Supplier<VerifierState> verifier) {
    /** Returns whether the node takes batches, sees a quorum, and the engines keep up; and why not. */
    public Readiness readiness() {
        if (!identity.takesPart()) {
            return new Readiness(false, "waits for an administrative transaction that names its key");
        }
        NodePhase phase = state.phase();
        if (!phase.takesBatches()) {
            return new Readiness(false, phase + (state.trouble().isEmpty() ? "" : ": " + state.trouble()));
        }
        int neededCount = Quorum.of(membership.epoch().nodeCount()).size() - 1;
        int connectedCount = connected.get().size();
        if (connectedCount < neededCount) {
            return new Readiness(false, connectedCount + " peers connected, a quorum needs " + neededCount);
        }
        String lag = engineLag();
        return new Readiness(lag.isEmpty(), lag);
    }

    /**
     * Returns what is wrong with the engines, empty if nothing is. Neither the own one nor the certificates of a quorum
     * may be further behind than half-way between a checkpoint interval, which is usual, and the log window, at whose
     * end agreement waits for them.
     */
    private String engineLag() {
        Parameters parameters = membership.epoch().terms().getParameters();
        int lagMax = (parameters.getCheckpointInterval() + parameters.getLogWindow()) / 2;
        long last = state.lastBlock().sequence();
        long behind = last - state.lastResult().sequence();
        if (member.config().engine() != EnginePlace.NONE && behind > lagMax) {
            return "its engine is " + behind + " blocks behind, more than " + lagMax;
        }
        long certified = state.agreement().lowWatermark();
        return last - certified > lagMax ? "engines of a quorum have certified nothing after block " + certified : "";
    }

    /** Returns the whole status at this moment. */
    public NodeStatus status() {
        NodeStatus.Builder status = NodeStatus.newBuilder()
                .setNodeId(member.nodeId())
                .setVersion(ProductVersion.text())
                .setChainId(member.genesis().genesis().getChainId())
                .setGenesisDigest(ByteString.copyFrom(member.genesis().digest().bytes()))
                .setClockMs(System.currentTimeMillis())
                .setState(state.phase().name())
                .setDurability(member.config().durability().name().toLowerCase(Locale.ROOT))
                .addAllConnectedPeers(connected.get());
        addVerifier(status);
        addAgreement(status);
        addBlocks(status);
        Membership present = membership.membership();
        status.setMembershipNumber(present.number())
                .setMembershipDigest(ByteString.copyFrom(present.digest().bytes()))
                .setEpoch(membership.epoch().number())
                .setProtocolVersion(present.protocolVersion())
                .setProtocolVersionMax(ProtocolVersion.NEWEST);
        Readiness readiness = readiness();
        return status.setReady(readiness.isReady())
                .setNotReadyReason(readiness.reason())
                .build();
    }

    private void addVerifier(NodeStatus.Builder status) {
        VerifierState now = verifier.get();
        status.setVerifier(now.provider())
                .setVerificationsPerSecond(now.perSecond())
                .setVerifierFault(now.fault());
    }

    private void addAgreement(NodeStatus.Builder status) {
        NodeState.Agreement agreement = state.agreement();
        status.setView(agreement.view())
                .setPrimary(agreement.primary())
                .setStableCheckpoint(agreement.lowWatermark())
                .setLowWatermark(agreement.lowWatermark())
                .setHighWatermark(agreement.highWatermark())
                .setPendingBatches(agreement.pendingBatches());
    }

    private void addBlocks(NodeStatus.Builder status) {
        NodeState.LastBlock last = state.lastBlock();
        NodeState.LastResult result = state.lastResult();
        status.setLastDelivered(last.sequence())
                .setLastExecuted(result.sequence())
                .setLastBlockHash(ByteString.copyFrom(last.hash().bytes()))
                .setResultDigest(ByteString.copyFrom(result.digest().bytes()))
                .setCommittedBatches(window.batchCount() + metrics.committedBatches())
                .setCommittedOrders(window.orderCount() + metrics.committedOrders());
    }
}
