package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.vocabulary.ProductVersion;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The exit code of the status tool is what a script can rely on. */
@Timeout(300)
class StatusTest {
    private static final int NOT_READY = 1;
    private static final int NO_ANSWER = 3;

    private String output;

    @Test
    void shouldTellAWorkingNodeFromOneWithoutAQuorumAndFromNone() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            assertThat(status(cluster, 0)).as(() -> output).isZero();
            assertThat(output).contains("version: " + ProductVersion.text() + "\n", "state: NORMAL\n", "ready: yes\n");

            cluster.kill(2);
            cluster.kill(3);
            cluster.await(
                    "node 0 has lost two peers", () -> cluster.node(0).status().getConnectedPeersCount() == 1);

            assertThat(status(cluster, 0)).as(() -> output).isEqualTo(NOT_READY);
            assertThat(output).contains("ready: no, 1 peers connected, a quorum needs 2\n");

            assertThat(status(cluster, 3)).as(() -> output).isEqualTo(NO_ANSWER);
            assertThat(output).startsWith("no answer from 127.0.0.1:").hasLineCount(1);
            assertThat(output).contains("UNAVAILABLE: ", "Connection refused");
        }
    }

    private int status(TestCluster cluster, int node) {
        StringWriter lines = new StringWriter();
        PrintWriter out = new PrintWriter(lines, true);
        int exitCode = NodeTool.commandLine()
                .setOut(out)
                .setErr(out)
                .execute(
                        "status",
                        "--timeout-ms",
                        "30000",
                        cluster.nodeDirectory(node).root().toString());
        output = lines.toString();
        return exitCode;
    }
}
