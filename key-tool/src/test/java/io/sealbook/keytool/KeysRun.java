package io.sealbook.keytool;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * A command as a person types it.
 *
 * @param exitCode of the command
 * @param out what it printed
 * @param err what it printed as an error
 */
record KeysRun(int exitCode, String out, String err) {
    static KeysRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                KeyTool.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = command.execute(arguments);
        return new KeysRun(exitCode, out.toString(), err.toString());
    }
}
