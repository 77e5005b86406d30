package io.sealbook.commandline;

import java.io.PrintWriter;

/** An answer on standard output, whose streams keep quiet about a full disk and a closed pipe. Any thread. */
public final class PrintedAnswer {
    private PrintedAnswer() {}

    /**
     * Returns the exit code of a command after its answer, and names an answer that was cut off.
     *
     * @param exitCode of the command
     * @param failed exit code in place of 0 if the answer could not be written
     * @param out had the answer; is flushed
     * @param err gets the message
     */
    public static int exitCode(int exitCode, int failed, PrintWriter out, PrintWriter err) {
        return exitCode(exitCode, failed, out.checkError(), err);
    }

    /**
     * Returns the exit code of a process whose command has answered on standard output, likewise. To be called at the
     * end of the process: any failure of standard output counts.
     *
     * @param exitCode of the command
     * @param failed exit code in place of 0 if the answer could not be written
     * @param out had the answer and writes to standard output; both are flushed
     * @param err gets the message
     */
    public static int processExitCode(int exitCode, int failed, PrintWriter out, PrintWriter err) {
        return exitCode(exitCode, failed, out.checkError() | System.out.checkError(), err);
    }

    private static int exitCode(int exitCode, int failed, boolean isCutOff, PrintWriter err) {
        if (!isCutOff) {
            return exitCode;
        }
        err.println("standard output cannot be written: the answer is cut off");
        return exitCode == 0 ? failed : exitCode;
    }
}
