package io.sealbook.consensus.survey;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.protocol.v1.ClusterStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MemberStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.Parameters;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterVerdictTest {
    private static final long CHAIN_ID = 4711;
    private static final int INTERVAL = 16;

    private final ClusterVerdict verdict = new ClusterVerdict(Genesis.newBuilder()
            .setChainId(CHAIN_ID)
            .setParameters(Parameters.newBuilder().setCheckpointInterval(INTERVAL))
            .addAllNodes(Collections.nCopies(4, Node.getDefaultInstance()))
            .build());

    @Test
    void shouldLetAnyMemberStopOfFourThatServe() {
        ClusterStatus cluster = verdict.of(List.of(at(0, 50, 50), at(1, 50, 50), at(2, 49, 48), at(3, 50, 50)));

        assertThat(cluster.getTakesOrders()).isTrue();
        assertThat(cluster.getServing()).isEqualTo(4);
        assertThat(cluster.getMembersList()).allMatch(MemberStatus::getMayStop);
        assertThat(cluster.getContradictionsList()).isEmpty();
    }

    @Test
    void shouldCountNoMemberWhoseEngineIsFarBehind() {
        ClusterStatus cluster =
                verdict.of(List.of(at(0, 50, 50), at(1, 50, 50 - INTERVAL), at(2, 50, 49 - INTERVAL), at(3, 50, 50)));

        assertThat(cluster.getMembersList())
                .extracting(MemberStatus::getServes)
                .containsExactly(true, true, false, true);
        assertThat(cluster.getMembers(2).getReason())
                .isEqualTo("its engine is " + (INTERVAL + 1) + " blocks behind, more than " + INTERVAL);
        assertThat(cluster.getMembersList())
                .extracting(MemberStatus::getMayStop)
                .containsExactly(false, false, true, false);
    }

    /** One that fetches blocks does not vote on new ones. */
    @Test
    void shouldCountNoMemberThatIsFarBehindOthers() {
        ClusterStatus cluster = verdict.of(List.of(
                at(0, 90, 90),
                at(1, 90 - INTERVAL, 90 - INTERVAL),
                at(2, 89 - INTERVAL, 89 - INTERVAL),
                at(3, 90, 90)));

        assertThat(cluster.getMembersList())
                .extracting(MemberStatus::getServes)
                .containsExactly(true, true, false, true);
        assertThat(cluster.getMembers(2).getReason())
                .isEqualTo("it is " + (INTERVAL + 1) + " blocks behind others, more than " + INTERVAL);
        assertThat(cluster.getMembersList())
                .extracting(MemberStatus::getMayStop)
                .containsExactly(false, false, true, false);
    }

    /** The cluster has seven nodes, of which the caller knows four: three of four are no quorum. */
    @Test
    void shouldLetNobodyStopInAClusterThatHasOutgrownTheTerms() {
        ClusterStatus cluster = verdict.of(List.of(
                at(0, 50, 50, List.of(1, 2, 3, 4, 5)), at(1, 50, 50, List.of(0, 6)), at(2, 50, 50), at(3, 50, 50)));

        assertThat(cluster.getMembersList()).noneMatch(MemberStatus::getMayStop);
        assertThat(cluster.getContradictionsList())
                .singleElement()
                .asString()
                .startsWith("members have peers beyond the 4 nodes by which this is judged");
    }

    @Test
    void shouldBelieveNoMemberAloneThatTheClusterHasGrown() {
        ClusterStatus cluster =
                verdict.of(List.of(at(0, 50, 50, List.of(4)), at(1, 50, 50), at(2, 50, 50), at(3, 50, 50)));

        assertThat(cluster.getMembersList()).allMatch(MemberStatus::getMayStop);
        assertThat(cluster.getContradictionsList()).isEmpty();
    }

    @Test
    void shouldBelieveNoMemberAloneThatItIsAhead() {
        ClusterStatus cluster = verdict.of(List.of(
                at(0, 50, 50),
                at(1, 50, 50),
                at(2, 50, 50),
                MemberAnswer.of(3, status(3, 1_000, 1_000).setView(9).build())));

        assertThat(cluster.getServing()).isEqualTo(4);
    }

    @Test
    void shouldCountNoMemberWithoutTheViewOfOthers() {
        NodeStatus between = status(1, 50, 50).setState("VIEW_CHANGE").build();
        NodeStatus lower = status(2, 50, 50).setView(2).build();

        ClusterStatus cluster = verdict.of(
                List.of(at(0, 50, 50), MemberAnswer.of(1, between), MemberAnswer.of(2, lower), at(3, 50, 50)));

        assertThat(cluster.getTakesOrders()).isFalse();
        assertThat(cluster.getMembersList())
                .extracting(MemberStatus::getReason)
                .containsExactly("", "VIEW_CHANGE", "it is in view 2, others in view 3", "");
    }

    @Test
    void shouldCountNeitherSilentNorUnreadyNorForeignMembers() {
        NodeStatus foreign = status(2, 50, 50).setChainId(7).build();
        NodeStatus isolated =
                status(3, 50, 50).setReady(false).setNotReadyReason("ISOLATED").build();

        ClusterStatus cluster = verdict.of(List.of(
                at(0, 50, 50),
                MemberAnswer.missing(1, "UNAVAILABLE: refused"),
                MemberAnswer.of(2, foreign),
                MemberAnswer.of(3, isolated)));

        assertThat(cluster.getTakesOrders()).isFalse();
        assertThat(cluster.getServing()).isEqualTo(1);
        assertThat(cluster.getMembersList())
                .extracting(MemberStatus::getReason)
                .containsExactly("", "no answer: UNAVAILABLE: refused", "it is of chain 7", "ISOLATED");
        assertThat(cluster.getMembersList()).noneMatch(MemberStatus::getMayStop);
    }

    @Test
    void shouldNameBlocksAndResultsThatDiffer() {
        NodeStatus otherBlock = status(1, 50, 40)
                .setLastBlockHash(ByteString.copyFromUtf8("other"))
                .build();
        NodeStatus otherResult = status(3, 51, 40)
                .setResultDigest(ByteString.copyFromUtf8("other"))
                .build();

        ClusterStatus cluster = verdict.of(
                List.of(at(0, 50, 40), MemberAnswer.of(1, otherBlock), at(2, 50, 40), MemberAnswer.of(3, otherResult)));

        assertThat(cluster.getContradictionsList())
                .hasSize(2)
                .satisfiesExactly(
                        blocks -> assertThat(blocks)
                                .startsWith("block 50: hashes differ")
                                .contains("[0, 2]", "[1]"),
                        results -> assertThat(results)
                                .startsWith("block 40: result digests differ")
                                .contains("[0, 1, 2]", "[3]"));
    }

    private MemberAnswer at(int nodeId, long delivered, long executed) {
        return MemberAnswer.of(nodeId, status(nodeId, delivered, executed).build());
    }

    private MemberAnswer at(int nodeId, long delivered, long executed, List<Integer> peers) {
        return MemberAnswer.of(
                nodeId,
                status(nodeId, delivered, executed).addAllConnectedPeers(peers).build());
    }

    private NodeStatus.Builder status(int nodeId, long delivered, long executed) {
        return NodeStatus.newBuilder()
                .setNodeId(nodeId)
                .setChainId(CHAIN_ID)
                .setReady(true)
                .setState("NORMAL")
                .setView(3)
                .setLastDelivered(delivered)
                .setLastExecuted(executed)
                .setLastBlockHash(ByteString.copyFromUtf8("block " + delivered))
                .setResultDigest(ByteString.copyFromUtf8("result " + executed));
    }
}
