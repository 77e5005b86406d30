package io.sealbook.chaos.run;

import io.sealbook.chaos.liar.LiarCommand;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.vocabulary.ProductVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line of {@code chaos.jar}. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        versionProvider = ChaosTool.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Injects faults into a real cluster under load and audits what its brokers saw.",
        subcommands = {RunCommand.class, AuditCommand.class, LiarCommand.class})
public final class ChaosTool {
    private static final String LIAR = "liar";

    private ChaosTool() {}

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(LIAR)) {
            // With the exit codes of a node.
            NodeTool.run(new ChaosTool(), arguments);
        }
        CommandLine commandLine = new CommandLine(new ChaosTool())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, result) -> {
                    failure.printStackTrace(command.getErr());
                    return CommandLine.ExitCode.SOFTWARE;
                });
        if (arguments.length == 0) {
            commandLine.usage(System.out);
            System.exit(CommandLine.ExitCode.USAGE);
        }
        System.exit(commandLine.execute(arguments));
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"chaos " + ProductVersion.text()};
        }
    }
}
