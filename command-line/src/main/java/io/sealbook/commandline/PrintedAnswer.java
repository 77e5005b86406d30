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
     * @param out had the answer; is flushed, as is standard output
     * @param err gets the message
     */
    public static int exitCode(int exitCode, int failed, PrintWriter out, PrintWriter err) {
        boolean isCutOff = out.checkError() | System.out.checkError();
        if (!isCutOff) {
            return exitCode;
        }
        err.println("standard output cannot be written: the answer is cut off");
        return exitCode == 0 ? failed : exitCode;
    }
}
