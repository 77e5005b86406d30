package io.sealbook.consensus.tool;

import io.sealbook.handoff.LogFormat;
import java.util.Set;
import picocli.CommandLine.Option;

/**
 * The form of the log lines of a command that runs until it is stopped. {@link NodeTool#run} reads it before picocli
 * does: the log begins with the command.
 */
public final class LogOption {
    private static final Set<String> COMMANDS = Set.of("start", "follow");

    @Option(
            names = LogFormat.OPTION,
            paramLabel = "FORMAT",
            description = "Form of the log lines: text or json. Default: SEALBOOK_LOG_FORMAT, else text.")
    private String format;

    /** Returns whether a command line is of a command with this option; other commands have one of the same name. */
    static boolean isOf(String[] arguments) {
        return arguments.length > 0 && COMMANDS.contains(arguments[0]);
    }
}
