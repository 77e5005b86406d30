package io.sealbook.keytool;

import io.sealbook.commandline.FailureText;
import io.sealbook.commandline.PrintedAnswer;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.vocabulary.ProductVersion;
import java.nio.file.FileAlreadyExistsException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The tool for keys: {@code java -jar keys.jar COMMAND}, and {@code keys} in the jar of a node. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        versionProvider = KeyTool.Version.class,
        description = "Makes, shows, converts, checks and rotates keys of members, brokers and auditors.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:done, and nothing is wrong with the key",
            "1:something is wrong: it is named",
            "2:wrong use of the command line",
            "77:the key file is encrypted, and its passphrase is wrong or missing"
        },
        subcommands = {
            NewKeyCommand.class,
            ShowKeyCommand.class,
            ExportKeyCommand.class,
            CheckKeyCommand.class,
            RotateKeyCommand.class
        })
public final class KeyTool {
    static final int OK = 0;
    static final int WRONG = 1;

    public static void main(String[] args) {
        CommandLine commandLine = commandLine();
        int exitCode = commandLine.execute(args);
        System.exit(PrintedAnswer.processExitCode(exitCode, WRONG, commandLine.getOut(), commandLine.getErr()));
    }

    /** Returns the parser of the command line, with its exit codes. */
    static CommandLine commandLine() {
        return new CommandLine(new KeyTool()).setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println(reason(failure));
            return failure instanceof KeyPassphraseException ? KeyPassphraseException.EXIT_CODE : WRONG;
        });
    }

    private static String reason(Exception failure) {
        String reason = FailureText.of(failure);
        return failure instanceof FileAlreadyExistsException ? reason + ", and a key is never overwritten" : reason;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"keys " + ProductVersion.text()};
        }
    }
}
