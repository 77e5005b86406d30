package io.sealbook.perf.flow;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** A recorded day of an exchange; its file belongs to that exchange, and a machine has it or lacks it. */
public enum RecordedDay {
    SHANGHAI("sse_"),
    NASDAQ("LOBSTER_");

    private final String fileNameStart;

    RecordedDay(String fileNameStart) {
        this.fileNameStart = fileNameStart;
    }

    /** Returns the name of the flow in benchmarks. */
    public String flowName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the first letters of the names of its files. */
    public String fileNameStart() {
        return fileNameStart;
    }

    /**
     * Returns the first file of this exchange; empty if there is none.
     *
     * @param dataDirectory where recorded days are looked for
     */
    public Optional<Path> find(Path dataDirectory) throws IOException {
        return FlowFiles.find(dataDirectory).stream()
                .filter(file -> file.getFileName().toString().startsWith(fileNameStart))
                .findFirst();
    }
}
