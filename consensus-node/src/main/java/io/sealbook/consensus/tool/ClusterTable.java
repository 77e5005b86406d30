package io.sealbook.consensus.tool;

import io.sealbook.protocol.v1.ClusterStatus;
import io.sealbook.protocol.v1.MemberStatus;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Prints a cluster for people: a line for each member, then what follows for all. */
final class ClusterTable {
    private static final String ROW = "%-4s  %-11s  %6s  %7s  %12s  %12s  %12s  %-6s  %-8s  %s%n";

    private ClusterTable() {}

    /**
     * Prints a verdict.
     *
     * @param cluster all members
     * @param out receives the lines, and is flushed
     */
    static void print(ClusterStatus cluster, PrintWriter out) {
        out.printf(
                ROW,
                "node",
                "state",
                "view",
                "primary",
                "delivered",
                "executed",
                "certified",
                "serves",
                "may stop",
                "reason");
        cluster.getMembersList().forEach(member -> printMember(member, out));
        out.println();
        out.printf(
                "takes orders: %s, %d of %d members serve, a quorum is %d%n",
                yesOrNo(cluster.getTakesOrders()),
                cluster.getServing(),
                cluster.getMembersCount(),
                cluster.getQuorum());
        String mayStop = cluster.getMembersList().stream()
                .filter(MemberStatus::getMayStop)
                .map(member -> Integer.toString(member.getNodeId()))
                .collect(Collectors.joining(", "));
        out.println("may stop, one at a time: " + (mayStop.isEmpty() ? "none" : mayStop));
        printDifference(cluster, "versions", NodeStatus::getVersion, out);
        printDifference(cluster, "protocol versions that builds follow", NodeStatus::getProtocolVersionMax, out);
        printDifference(cluster, "executed transactions", NodeStatus::getMembershipNumber, out);
        cluster.getContradictionsList().forEach(each -> out.println("CONTRADICTION: " + each));
        out.flush();
    }

    private static <V extends Comparable<V>> void printDifference(
            ClusterStatus cluster, String name, Function<NodeStatus, V> value, PrintWriter out) {
        Map<V, List<Integer>> nodes = cluster.getMembersList().stream()
                .filter(MemberStatus::hasStatus)
                .collect(Collectors.groupingBy(
                        member -> value.apply(member.getStatus()),
                        TreeMap::new,
                        Collectors.mapping(MemberStatus::getNodeId, Collectors.toList())));
        if (nodes.size() > 1) {
            out.println(name + " differ: " + nodes);
        }
    }

    private static void printMember(MemberStatus member, PrintWriter out) {
        NodeStatus status = member.getStatus();
        boolean answers = member.hasStatus();
        out.printf(
                Locale.ROOT,
                ROW,
                member.getNodeId(),
                answers ? status.getState() : "-",
                answers ? Long.toUnsignedString(status.getView()) : "-",
                answers ? status.getPrimary() : "-",
                answers ? grouped(status.getLastDelivered()) : "-",
                answers ? grouped(status.getLastExecuted()) : "-",
                answers ? grouped(status.getStableCheckpoint()) : "-",
                yesOrNo(member.getServes()),
                yesOrNo(member.getMayStop()),
                member.getReason());
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String yesOrNo(boolean fact) {
        return fact ? "yes" : "no";
    }
}
