package io.sealbook.consensus.survey;

import com.google.protobuf.ByteString;
import io.sealbook.node.status.NodePhase;
import io.sealbook.pbft.Quorum;
import io.sealbook.protocol.v1.ClusterStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MemberStatus;
import io.sealbook.protocol.v1.NodeStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Judges a cluster by its members' answers. A member serves if it is ready, votes in the view of the others, and is at
 * most one checkpoint interval behind them, its engine likewise behind it: a member that fetches blocks does not vote
 * on new ones, an engine that is still starting certifies nothing, and a cluster whose engines certify nothing stops at
 * the high watermark. What the others have is what f+1 members report at least, so that f of them cannot invent it.
 * Terms are outgrown if f+1 members have a peer beyond their nodes; what is a quorum then is not known, and no member
 * may stop.
 */
public final class ClusterVerdict {
    private final long chainId;
    private final long lagMax;
    private final Quorum quorum;
    private final int nodeCount;

    /** @param genesis the present terms: the chain's id, the members, and the checkpoint interval */
    public ClusterVerdict(Genesis genesis) {
        this.chainId = genesis.getChainId();
        this.lagMax = genesis.getParameters().getCheckpointInterval();
        this.nodeCount = genesis.getNodesCount();
        this.quorum = Quorum.of(nodeCount);
    }

    /** Returns the verdict on the answers of all members. */
    public ClusterStatus of(List<MemberAnswer> answers) {
        List<NodeStatus> ofChain = ofChain(answers);
        long height = reached(ofChain, NodeStatus::getLastDelivered);
        long view = reached(ofChain, NodeStatus::getView);
        List<String> reasons =
                answers.stream().map(answer -> whyNot(answer, height, view)).toList();
        List<String> contradictions = contradictions(ofChain);
        boolean isOutgrown = isOutgrown(ofChain);
        if (isOutgrown) {
            contradictions.add("members have peers beyond the " + nodeCount
                    + " nodes by which this is judged; the directory of a node has the present ones");
        }
        int serving = (int) reasons.stream().filter(String::isEmpty).count();
        ClusterStatus.Builder cluster = ClusterStatus.newBuilder()
                .setQuorum(quorum.size())
                .setServing(serving)
                .setTakesOrders(serving >= quorum.size())
                .addAllContradictions(contradictions);
        for (int i = 0; i < answers.size(); i++) {
            MemberAnswer answer = answers.get(i);
            String whyNot = reasons.get(i);
            MemberStatus.Builder member = MemberStatus.newBuilder()
                    .setNodeId(answer.nodeId())
                    .setServes(whyNot.isEmpty())
                    .setReason(whyNot)
                    .setMayStop(!isOutgrown && serving - (whyNot.isEmpty() ? 1 : 0) >= quorum.size());
            answer.status().ifPresent(member::setStatus);
            cluster.addMembers(member);
        }
        return cluster.build();
    }

    private boolean isOutgrown(List<NodeStatus> ofChain) {
        return ofChain.stream()
                        .filter(status ->
                                status.getConnectedPeersList().stream().anyMatch(peer -> peer >= nodeCount))
                        .count()
                >= quorum.oneCorrect();
    }

    private List<NodeStatus> ofChain(List<MemberAnswer> answers) {
        return answers.stream()
                .flatMap(answer -> answer.status().stream())
                .filter(status -> status.getChainId() == chainId)
                .toList();
    }

    /** Returns the greatest number that f+1 members have reached; 0 if fewer answered. */
    private long reached(List<NodeStatus> statuses, ToLongFunction<NodeStatus> number) {
        return statuses.stream()
                .map(number::applyAsLong)
                .sorted(Comparator.reverseOrder())
                .skip(quorum.oneCorrect() - 1L)
                .findFirst()
                .orElse(0L);
    }

    private String whyNot(MemberAnswer answer, long height, long view) {
        if (answer.status().isEmpty()) {
            return "no answer: " + answer.failure();
        }
        NodeStatus status = answer.status().get();
        if (status.getChainId() != chainId) {
            return "it is of chain " + Long.toUnsignedString(status.getChainId());
        }
        if (!status.getReady()) {
            return status.getNotReadyReason();
        }
        if (!status.getState().equals(NodePhase.NORMAL.name())) {
            return status.getState();
        }
        if (status.getView() < view) {
            return "it is in view " + status.getView() + ", others in view " + view;
        }
        long behind = height - status.getLastDelivered();
        if (behind > lagMax) {
            return "it is " + behind + " blocks behind others, more than " + lagMax;
        }
        long lag = status.getLastDelivered() - status.getLastExecuted();
        return lag <= lagMax ? "" : "its engine is " + lag + " blocks behind, more than " + lagMax;
    }

    private static List<String> contradictions(List<NodeStatus> ofChain) {
        List<String> contradictions = new ArrayList<>();
        addDifferent(
                ofChain, "block", NodeStatus::getLastDelivered, NodeStatus::getLastBlockHash, "hashes", contradictions);
        addDifferent(
                ofChain,
                "block",
                NodeStatus::getLastExecuted,
                NodeStatus::getResultDigest,
                "result digests",
                contradictions);
        addDifferent(
                ofChain,
                "transaction",
                NodeStatus::getMembershipNumber,
                NodeStatus::getMembershipDigest,
                "memberships",
                contradictions);
        return contradictions;
    }

    private static void addDifferent(
            List<NodeStatus> statuses,
            String place,
            ToLongFunction<NodeStatus> number,
            Function<NodeStatus, ByteString> value,
            String name,
            List<String> contradictions) {
        Map<Long, Map<ByteString, List<Integer>>> nodes = new TreeMap<>();
        for (NodeStatus status : statuses) {
            nodes.computeIfAbsent(
                            number.applyAsLong(status),
                            at -> new TreeMap<>(ByteString.unsignedLexicographicalComparator()))
                    .computeIfAbsent(value.apply(status), each -> new ArrayList<>())
                    .add(status.getNodeId());
        }
        nodes.forEach((at, byValue) -> {
            if (byValue.size() > 1) {
                contradictions.add(place + " " + at + ": " + name + " differ between nodes " + byValue.values());
            }
        });
    }
}
