package io.sealbook.perf.experiment;

import io.sealbook.perf.proxy.LinkCondition;
import io.sealbook.perf.proxy.LinkTable;
import picocli.CommandLine.Option;

/** Options of the links between the members of a local cluster. If one is given, all bytes go through a proxy. */
final class LinkOptions {
    private static final long BYTES_PER_MEGABYTE = 1_000_000;

    @Option(
            names = "--link-delay",
            paramLabel = "MS",
            description = "Milliseconds that bytes are under way between two members; a proxy delays them.")
    Integer delayMs;

    @Option(
            names = "--member-bandwidth",
            paramLabel = "MB/S",
            description = "Megabytes per second that a member may send to all others together; a proxy narrows it.")
    Integer megabytesPerSecond;

    /** Returns whether members reach each other through a proxy. */
    boolean areProxied() {
        return delayMs != null || megabytesPerSecond != null;
    }

    /** Returns the conditions for a cluster of a number of members. */
    LinkTable table(int nodeCount) {
        LinkTable table = new LinkTable(nodeCount);
        if (delayMs != null) {
            table.setAll(LinkCondition.slow(delayMs, 0));
        }
        if (megabytesPerSecond != null) {
            table.setEgress(megabytesPerSecond * BYTES_PER_MEGABYTE);
        }
        return table;
    }

    /** Returns what a reader of figures must know. */
    String describe() {
        if (!areProxied()) {
            return "members share one machine";
        }
        return "a proxy carries all bytes"
                + (delayMs == null ? "" : ", " + delayMs + " ms between two members")
                + (megabytesPerSecond == null ? "" : ", " + megabytesPerSecond + " MB/s from each member");
    }
}
