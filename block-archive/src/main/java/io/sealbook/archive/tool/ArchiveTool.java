package io.sealbook.archive.tool;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.proof.InclusionProver.NotProvableException;
import io.sealbook.commandline.FailureText;
import io.sealbook.commandline.PrintedAnswer;
import io.sealbook.membership.UnknownProtocolVersionException;
import io.sealbook.vocabulary.ProductVersion;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ScopeType;

/** Entry point: {@code java -jar block-archive.jar COMMAND}. */
@Command(
        name = "block-archive",
        mixinStandardHelpOptions = true,
        versionProvider = ArchiveTool.Version.class,
        scope = ScopeType.INHERIT,
        description = "Reads, checks and proves from the block archive of a node.",
        footer = {
            "",
            "Exit codes:",
            "  0  done, and everything that was checked is right",
            "  1  something that was checked is wrong: it is named on standard output",
            "  2  wrong use of the command line",
            "  3  the files could not be read, or are no archive, or standard output could not be written",
            "  4  nothing is wrong, and not everything is proven (verify)"
        },
        subcommands = {
            DescribeCommand.class,
            VerifyCommand.class,
            DumpCommand.class,
            FindCommand.class,
            OrderCommand.class,
            ProveCommand.class,
            VerifyProofCommand.class,
            RebuildIndexCommand.class,
            RepairCommand.class,
            MembersCommand.class
        })
public final class ArchiveTool {
    static final int OK = 0;
    static final int WRONG = 1;
    static final int UNREADABLE = 3;
    static final int UNPROVEN = 4;

    ArchiveTool() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true);
        PrintWriter err = new PrintWriter(System.err, true);
        System.exit(PrintedAnswer.processExitCode(run(out, err, arguments), UNREADABLE, out, err));
    }

    /**
     * Runs a command and returns its exit code.
     *
     * @param out gets what it prints
     * @param err gets messages about failures
     * @param arguments the command's name and what follows it
     */
    public static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine commandLine = new CommandLine(new ArchiveTool());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.registerConverter(UnsignedArgument.class, new UnsignedArgument.Converter());
        commandLine.setOut(out).setErr(err).setExecutionExceptionHandler((e, command, parsed) -> {
            command.getErr().println(FailureText.of(e));
            return exitCode(e);
        });
        if (arguments.length == 0) {
            commandLine.usage(err);
            return commandLine.getCommandSpec().exitCodeOnInvalidInput();
        }
        return PrintedAnswer.exitCode(commandLine.execute(arguments), UNREADABLE, out, err);
    }

    private static int exitCode(Exception e) throws Exception {
        return switch (e) {
            case ChainViolationException wrong -> WRONG;
            case BlockDamagedException damaged -> WRONG;
            case NotProvableException missing -> WRONG;
            case ArchiveException unreadable -> UNREADABLE;
            case MembershipUnknownException missing -> UNREADABLE;
            case UnknownProtocolVersionException newer -> UNREADABLE;
            case UncheckedIOException unreadable -> UNREADABLE;
            case IllegalArgumentException unreadable -> UNREADABLE;
            default -> throw e;
        };
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"block-archive " + ProductVersion.text()};
        }
    }
}
