package io.sealbook.consensus.survey;

import com.google.protobuf.ByteString;
import io.sealbook.pbft.Quorum;
import io.sealbook.protocol.v1.ClusterStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MemberStatus;
import io.sealbook.protocol.v1.NodeStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Judges a cluster by its members' answers. A member serves if it is ready and its engine is at most one checkpoint
 * interval behind it: an engine that is still starting certifies nothing, and a cluster whose engines certify nothing
 * stops at the high watermark.
 */
public final class ClusterVerdict {
    private final long chainId;
    private final long lagMax;
    private final int quorum;

    /** @param genesis the present terms: the chain's id, the members, and the checkpoint interval */
    public ClusterVerdict(Genesis genesis) {
        this.chainId = genesis.getChainId();
        this.lagMax = genesis.getParameters().getCheckpointInterval();
        this.quorum = Quorum.of(genesis.getNodesCount()).size();
    }

    /** Returns the verdict on the answers of all members. */
    public ClusterStatus of(List<MemberAnswer> answers) {
        int serving = (int)
                answers.stream().filter(answer -> whyNot(answer).isEmpty()).count();
        ClusterStatus.Builder cluster = ClusterStatus.newBuilder()
                .setQuorum(quorum)
                .setServing(serving)
                .setTakesOrders(serving >= quorum)
                .addAllContradictions(contradictions(answers));
        for (MemberAnswer answer : answers) {
            String whyNot = whyNot(answer);
            MemberStatus.Builder member = MemberStatus.newBuilder()
                    .setNodeId(answer.nodeId())
                    .setServes(whyNot.isEmpty())
                    .setReason(whyNot)
                    .setMayStop(serving - (whyNot.isEmpty() ? 1 : 0) >= quorum);
            answer.status().ifPresent(member::setStatus);
            cluster.addMembers(member);
        }
        return cluster.build();
    }

    private String whyNot(MemberAnswer answer) {
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
        long lag = status.getLastDelivered() - status.getLastExecuted();
        return lag <= lagMax ? "" : "its engine is " + lag + " blocks behind, more than " + lagMax;
    }

    private List<String> contradictions(List<MemberAnswer> answers) {
        List<NodeStatus> ofChain = answers.stream()
                .flatMap(answer -> answer.status().stream())
                .filter(status -> status.getChainId() == chainId)
                .toList();
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
