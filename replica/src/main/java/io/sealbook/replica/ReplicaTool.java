package io.sealbook.replica;

import io.sealbook.consensus.tool.InspectCommand;
import io.sealbook.consensus.tool.NodeStatusCommand;
import io.sealbook.consensus.tool.NodeTool;
import picocli.CommandLine.Command;

/** The operator's tool of a replica: runs it, asks a running one, looks into a stopped one. */
@Command(
        name = "replica",
        mixinStandardHelpOptions = true,
        version = "replica 0.2.0",
        description = "Runs a consensus node and its engine in one process.",
        subcommands = {StartReplicaCommand.class, NodeStatusCommand.class, InspectCommand.class})
public final class ReplicaTool {
    private ReplicaTool() {}

    public static void main(String[] args) {
        NodeTool.run(new ReplicaTool(), args);
    }
}
