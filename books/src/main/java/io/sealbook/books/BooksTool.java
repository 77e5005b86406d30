package io.sealbook.books;

import io.sealbook.archive.MalformedBlockException;
import io.sealbook.commandline.PrintedAnswer;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.ProductVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ScopeType;

/** Entry point: {@code java -jar books.jar COMMAND}. */
@Command(
        name = "books",
        mixinStandardHelpOptions = true,
        versionProvider = BooksTool.Version.class,
        scope = ScopeType.INHERIT,
        showDefaultValues = true,
        description = "SQL over the archive and the report files of a node, and lives of orders. The node may run.",
        footer = {
            "",
            "Exit codes:",
            "  0  done",
            "  1  the statement is wrong, the order is not here, the files could not be read, an engine",
            "     started during an export, or standard output could not be written",
            "  2  wrong use of the command line"
        },
        subcommands = {SqlCommand.class, TablesCommand.class, ExportCommand.class, TraceCommand.class})
public final class BooksTool {
    static final int OK = 0;
    static final int FAILED = 1;
    private static final String FUNCTION_FAILURE = "org.duckdb.DuckDBFunctions$FunctionException: ";

    BooksTool() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true);
        PrintWriter err = new PrintWriter(System.err, true);
        System.exit(PrintedAnswer.processExitCode(run(out, err, arguments), FAILED, out, err));
    }

    /**
     * Runs a command.
     *
     * @param out receives rows
     * @param err receives failures
     * @param arguments of the command line
     * @return its exit code
     */
    static int run(PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine commandLine = new CommandLine(new BooksTool());
        commandLine.setOut(out).setErr(err).setExecutionExceptionHandler((e, command, parsed) -> {
            command.getErr()
                    .println(
                            switch (e) {
                                case SQLException wrong -> fact(wrong.getMessage());
                                case IOException unreadable -> unreadable.toString();
                                case MalformedBlockException unreadable -> unreadable.getMessage();
                                case OperatingFailureException unreadable -> unreadable.getMessage();
                                case UncheckedIOException unreadable ->
                                    unreadable.getMessage() + ": "
                                            + unreadable.getCause().getMessage();
                                default -> throw e;
                            });
            return FAILED;
        });
        if (arguments.length == 0) {
            commandLine.usage(err);
            return commandLine.getCommandSpec().exitCodeOnInvalidInput();
        }
        return PrintedAnswer.exitCode(commandLine.execute(arguments), FAILED, out, err);
    }

    /** Returns a failure without the trace that DuckDB appends if it came from a table function. */
    private static String fact(String message) {
        int trace = message.indexOf("\n\tat ");
        return (trace < 0 ? message : message.substring(0, trace)).replace(FUNCTION_FAILURE, "");
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"books " + ProductVersion.text()};
        }
    }
}
