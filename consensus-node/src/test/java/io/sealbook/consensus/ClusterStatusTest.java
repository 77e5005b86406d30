package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.protocol.v1.ClusterStatus;
import io.sealbook.protocol.v1.MemberStatus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Four nodes whose operator asks for all of them at once. */
@Timeout(300)
class ClusterStatusTest {
    private static final int NOT_WELL = 1;
    private static final int WRONG_USE = 2;
    private static final int NO_ANSWER = 3;

    private String output;

    @Test
    void shouldKnowWhetherAQuorumServesAndWhoMayStop() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            cluster.await("all see all", () -> status(cluster, "--cluster") == 0 && output.contains("4 of 4"));
            assertThat(output).contains("takes orders: yes", "may stop, one at a time: 0, 1, 2, 3");
            assertThat(status(cluster, "--cluster", "--may-stop", "1"))
                    .as(() -> output)
                    .isZero();

            cluster.kill(2);
            cluster.await("its loss is seen", () -> cluster.node(0).status().getConnectedPeersCount() == 2);

            assertThat(status(cluster, "--cluster")).as(() -> output).isZero();
            assertThat(output).contains("3 of 4 members serve, a quorum is 3", "may stop, one at a time: 2");
            assertThat(status(cluster, "--cluster", "--may-stop", "1"))
                    .as(() -> output)
                    .isEqualTo(NOT_WELL);
            assertThat(status(cluster, "--cluster", "--json")).isZero();
            ClusterStatus.Builder read = ClusterStatus.newBuilder();
            JsonFormat.parser().merge(output, read);
            assertThat(read.getMembersList())
                    .extracting(MemberStatus::getServes)
                    .containsExactly(true, true, false, true);
            assertThat(read.getMembers(2).getReason()).startsWith("no answer: UNAVAILABLE: ");

            cluster.kill(3);
            cluster.await(
                    "both see the second loss",
                    () -> status(cluster, "--cluster") == NOT_WELL && output.contains("takes orders: no, 0 of 4"));
            assertThat(output).contains("1 peers connected, a quorum needs 2");
            cluster.kill(0);
            cluster.kill(1);
            assertThat(status(cluster, "--cluster")).as(() -> output).isEqualTo(NO_ANSWER);
            assertThat(status(cluster, "--cluster", "--may-stop", "4")).isEqualTo(WRONG_USE);
            assertThat(status(cluster, "--json")).isEqualTo(WRONG_USE);
        }
    }

    private int status(TestCluster cluster, String... options) {
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        int exitCode = NodeTool.commandLine()
                .setOut(out)
                .setErr(out)
                .execute(Stream.concat(
                                Stream.of(
                                        "status",
                                        "--timeout-ms",
                                        "30000",
                                        cluster.nodeDirectory(0).root().toString()),
                                Arrays.stream(options))
                        .toArray(String[]::new));
        output = lines.toString();
        return exitCode;
    }
}
