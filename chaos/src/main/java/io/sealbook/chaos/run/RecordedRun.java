package io.sealbook.chaos.run;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import io.sealbook.chaos.audit.RunDirectory;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.History;
import io.sealbook.chaos.history.Violation.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a run recorded of itself in {@code report.json}: how many files there were to judge. Without it a directory
 * whose ledgers are gone would have no promise that could be broken.
 *
 * @param nodes whose archives were judged
 * @param brokers whose ledgers were judged
 * @param load that these files showed
 */
record RecordedRun(int nodes, int brokers, LoadSummary load) {
    private static final Gson JSON = new Gson();

    /**
     * Reads what a run recorded.
     *
     * @return empty if the run ended before it wrote its report
     * @throws IOException if the file cannot be read or is no report
     */
    static Optional<RecordedRun> read(Path directory) throws IOException {
        Path file = directory.resolve(RunReport.FILE_NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            RecordedRun run = JSON.fromJson(Files.readString(file), RecordedRun.class);
            if (run == null || run.load == null) {
                throw new IOException(file + " is no report of a run: it names no load");
            }
            return Optional.of(run);
        } catch (JsonParseException e) {
            throw new IOException(file + " is no report of a run: " + e.getMessage(), e);
        }
    }

    /**
     * Holds the files that are there now against those that the run judged.
     *
     * @param directory of the run
     * @param history that was read from it
     * @param findings takes what is missing
     */
    void check(RunDirectory directory, History history, Findings findings) throws IOException {
        long archives = directory.archives().stream().filter(Files::isDirectory).count();
        if (archives != nodes) {
            findings.add(Rule.WHOLE_RUN, archives + " archives are there, the run had " + nodes + " nodes");
        }
        long ledgers = history.ledgers().values().stream()
                .filter(runs -> !runs.isEmpty())
                .count();
        if (ledgers != brokers) {
            findings.add(Rule.WHOLE_RUN, "ledgers of " + ledgers + " brokers are there, the run had " + brokers);
        }
        LoadSummary found = new LoadSummary(history);
        if (!found.equals(load)) {
            findings.add(Rule.WHOLE_RUN, "the files show " + found + ", the run recorded " + load);
        }
    }
}
