package io.sealbook.perf;

import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.perf.experiment.AblationCommand;
import io.sealbook.perf.experiment.CurvesCommand;
import io.sealbook.perf.experiment.FailoverCommand;
import io.sealbook.perf.experiment.HashCommand;
import io.sealbook.perf.experiment.IdleCommand;
import io.sealbook.perf.experiment.InlineCommand;
import io.sealbook.perf.experiment.SigningCommand;
import io.sealbook.perf.experiment.SoakCommand;
import io.sealbook.perf.experiment.ThroughputCommand;
import io.sealbook.perf.experiment.TrainCommand;
import io.sealbook.perf.experiment.TransactionsCommand;
import io.sealbook.perf.flow.SampleCommand;
import io.sealbook.perf.gpu.GpuCommand;
import io.sealbook.perf.market.MatchingCommand;
import io.sealbook.perf.offload.OffloadCommand;
import io.sealbook.perf.quickstart.QuickstartCommand;
import io.sealbook.perf.regression.RegressionCommand;
import io.sealbook.perf.results.ResultsCommand;
import io.sealbook.perf.siege.SiegeCommand;
import io.sealbook.perf.siege.hole.HolesCommand;
import io.sealbook.perf.storage.StorageCommand;
import io.sealbook.vocabulary.ProductVersion;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line of {@code perf.jar}. */
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        versionProvider = PerfTool.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Runs a local cluster, experiments and benchmarks.",
        subcommands = {
            QuickstartCommand.class,
            ThroughputCommand.class,
            IdleCommand.class,
            SoakCommand.class,
            CurvesCommand.class,
            AblationCommand.class,
            OffloadCommand.class,
            FailoverCommand.class,
            TrainCommand.class,
            SigningCommand.class,
            TransactionsCommand.class,
            HashCommand.class,
            InlineCommand.class,
            MatchingCommand.class,
            StorageCommand.class,
            GpuCommand.class,
            RegressionCommand.class,
            SiegeCommand.class,
            HolesCommand.class,
            SampleCommand.class,
            ResultsCommand.class
        })
public final class PerfTool {
    /** Runs consensus-node.jar's command line with the engines of this jar on the class path. */
    private static final String NODE = "node";

    private PerfTool() {}

    public static void main(String[] arguments) {
        if (arguments.length > 0 && arguments[0].equals(NODE)) {
            NodeTool.main(Arrays.copyOfRange(arguments, 1, arguments.length));
            return;
        }
        // Since Java 22 there is a console even if output goes to a file, unless this property says otherwise.
        System.setProperty("jdk.console", "java.base");
        CommandLine commandLine = commandLine();
        if (arguments.length == 0) {
            commandLine.usage(System.out);
            System.exit(CommandLine.ExitCode.USAGE);
        }
        System.exit(commandLine.execute(arguments));
    }

    /** Returns the parser of the command line, with its exit codes. */
    static CommandLine commandLine() {
        return new CommandLine(new PerfTool())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, command, result) -> {
                    // The message carries the facts; a stack trace would bury them.
                    command.getErr().println(command.getCommandName() + ": " + FailureText.of(failure));
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"perf " + ProductVersion.text()};
        }
    }
}
