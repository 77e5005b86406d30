package io.sealbook.replica;

import io.sealbook.consensus.tool.DoctorCommand;
import io.sealbook.consensus.tool.InspectCommand;
import io.sealbook.consensus.tool.NodeStatusCommand;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.vocabulary.ProductVersion;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The operator's tool of a replica: runs it, asks a running one, looks into a stopped one. */
@Command(
        name = "replica",
        mixinStandardHelpOptions = true,
        versionProvider = ReplicaTool.Version.class,
        description = "Runs a consensus node and its engine in one process.",
        subcommands = {StartReplicaCommand.class, NodeStatusCommand.class, InspectCommand.class, DoctorCommand.class})
public final class ReplicaTool {
    private ReplicaTool() {}

    public static void main(String[] args) {
        NodeTool.run(new ReplicaTool(), args);
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"replica " + ProductVersion.text()};
        }
    }
}
