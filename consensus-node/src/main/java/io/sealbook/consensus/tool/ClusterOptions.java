package io.sealbook.consensus.tool;

import com.google.protobuf.util.JsonFormat;
import io.sealbook.access.TlsPorts;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.survey.ClusterSurvey;
import io.sealbook.consensus.survey.ClusterVerdict;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.protocol.v1.ClusterStatus;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.MemberStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** Options of {@code status} that ask all members. */
final class ClusterOptions {
    @Option(
            names = "--cluster",
            description = "Ask all present members and judge the cluster; DIR knows where some are.")
    private boolean isAsked;

    @Option(
            names = "--may-stop",
            paramLabel = "NODE",
            description = "With --cluster: exit code 0 only if the others take orders without this node, too.")
    private Integer mayStop;

    @Option(names = "--json", description = "With --cluster: print one JSON object.")
    private boolean isJson;

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            description = "With --cluster: ask again after so many seconds, until interrupted.")
    private Integer watchSeconds;

    /** Returns whether all members are to be asked; the other options alone mean nothing. */
    boolean isAsked() {
        return isAsked;
    }

    /** Returns whether options were given that need {@code --cluster}. */
    boolean needsCluster() {
        return mayStop != null || isJson || watchSeconds != null;
    }

    /**
     * Asks, prints and judges.
     *
     * @param known the members as the directory knows them
     * @param access to connect with
     * @param timeoutMs longest wait for an answer
     * @param out receives the verdict
     * @return the exit code
     * @throws IllegalArgumentException if the node of {@code --may-stop} is no member, or the seconds are not positive
     */
    int run(Genesis known, MemberGateway.Access access, long timeoutMs, PrintWriter out)
            throws IOException, InterruptedException {
        if (watchSeconds != null && watchSeconds < 1) {
            throw new IllegalArgumentException("--watch " + watchSeconds + ": at least 1 second");
        }
        Genesis present = known;
        while (true) {
            present = PresentCluster.ask(present, access, timeoutMs);
            int count = present.getNodesCount();
            if (mayStop != null && (mayStop < 0 || mayStop >= count)) {
                throw new IllegalArgumentException("--may-stop " + mayStop + ": the members are 0 to " + (count - 1));
            }
            ClusterStatus cluster;
            try (ClusterSurvey survey = new ClusterSurvey(present, TlsPorts.channel(access.tls()), timeoutMs)) {
                cluster = new ClusterVerdict(present).of(survey.ask());
            }
            print(cluster, out);
            if (watchSeconds == null) {
                return exitCode(cluster);
            }
            TimeUnit.SECONDS.sleep(watchSeconds);
        }
    }

    private void print(ClusterStatus cluster, PrintWriter out) throws IOException {
        if (isJson) {
            out.println(JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(cluster));
            out.flush();
        } else {
            ClusterTable.print(cluster, out);
        }
    }

    private int exitCode(ClusterStatus cluster) {
        if (cluster.getMembersList().stream().noneMatch(MemberStatus::hasStatus)) {
            return NodeStatusCommand.NO_ANSWER;
        }
        boolean isWell = cluster.getTakesOrders()
                && cluster.getContradictionsCount() == 0
                && (mayStop == null || cluster.getMembers(mayStop).getMayStop());
        return isWell ? 0 : NodeStatusCommand.NOT_READY;
    }
}
