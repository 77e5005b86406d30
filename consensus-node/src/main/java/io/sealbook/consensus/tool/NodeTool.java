package io.sealbook.consensus.tool;

import io.sealbook.commandline.FailureText;
import io.sealbook.commandline.PrintedAnswer;
import io.sealbook.consensus.config.ReplacedIdentityException;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.ModuleFailureException;
import io.sealbook.handoff.LogFormat;
import io.sealbook.keytool.KeyTool;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.node.restart.LostReplicaLogException;
import io.sealbook.vocabulary.ProductVersion;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/**
 * The operator's tool of a consensus node: makes clusters, runs a node, asks a running one, looks into a stopped one.
 */
@Command(
        name = "consensus-node",
        mixinStandardHelpOptions = true,
        versionProvider = NodeTool.Version.class,
        description =
                "Makes clusters, runs a consensus node or a follower, asks a running one, looks into a stopped one.",
        subcommands = {
            TestnetCommand.class,
            StartCommand.class,
            FollowCommand.class,
            NodeStatusCommand.class,
            InspectCommand.class,
            DoctorCommand.class,
            EvidenceCommand.class,
            LightCommand.class,
            RoleCommand.class,
            AdminCommand.class,
            GenesisCommand.class,
            KeyTool.class
        })
public final class NodeTool {
    private NodeTool() {}

    public static void main(String[] args) {
        run(new NodeTool(), args);
    }

    /**
     * Runs a command line in this process, and ends the process with its exit code.
     *
     * @param tool a command of picocli
     * @param args as the process got them
     */
    public static void run(Object tool, String[] args) {
        try {
            LogFormat.choose(LogOption.isOf(args) ? args : new String[0]);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(CommandLine.ExitCode.USAGE);
        }
        // Chronicle must never phone home; its analytics jar is not shipped either.
        System.setProperty("chronicle.analytics.disable", "true");
        System.setProperty("chronicle.announcer.disable", "true");
        // Samples of where buffers were taken cost stack traces under load; tests keep them on.
        System.getProperties().putIfAbsent("io.netty.leakDetection.level", "disabled");
        // gRPC speaks java.util.logging; there is one log.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        CommandLine commandLine = commandLine(tool);
        int exitCode = commandLine.execute(args);
        // A log that is cut off is no answer.
        System.exit(
                LogOption.isOf(args)
                        ? exitCode
                        : PrintedAnswer.processExitCode(
                                exitCode, CommandLine.ExitCode.SOFTWARE, commandLine.getOut(), commandLine.getErr()));
    }

    /** Returns the parser of the node's command line, with its exit codes. */
    public static CommandLine commandLine() {
        return commandLine(new NodeTool());
    }

    private static CommandLine commandLine(Object tool) {
        return new CommandLine(tool).setExecutionExceptionHandler((failure, commandLine, parsed) -> {
            commandLine.getErr().println(FailureText.of(failure));
            return switch (failure) {
                case LostReplicaLogException lost -> StartCommand.REPLICA_LOG_LOST;
                case ReplacedIdentityException replaced -> StartCommand.IDENTITY_REPLACED;
                case UnknownProtocolVersionException newer -> StartCommand.UNKNOWN_PROTOCOL_VERSION;
                case ModuleFailureException module -> NodeProcess.STORAGE_FAILED;
                case KeyPassphraseException closed -> KeyPassphraseException.EXIT_CODE;
                default -> commandLine.getCommandSpec().exitCodeOnExecutionException();
            };
        });
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"consensus-node " + ProductVersion.text()};
        }
    }
}
