package io.sealbook.perf.results;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The option of an experiment that writes its result to a file. */
public final class ResultFile {
    @Spec(Target.MIXEE)
    private CommandSpec command;

    @Option(names = "--json", description = "Also write the result to this file, see perf/results.")
    private Path file;

    /** Returns whether a file was asked for. */
    public boolean isWanted() {
        return file != null;
    }

    /**
     * Writes the file if it was asked for.
     *
     * @param title one line for the reader of the table
     * @param home the checkout's folder, whose commit is recorded
     * @param notes what else a reader must know
     * @param rows the figures
     */
    public void write(String title, Path home, List<String> notes, List<ResultRow> rows) throws IOException {
        if (isWanted()) {
            RunFacts.measured(RunFacts.commandLine(command), title, home, notes, rows)
                    .write(file);
        }
    }
}
