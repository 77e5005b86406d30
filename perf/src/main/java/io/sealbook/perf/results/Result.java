package io.sealbook.perf.results;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What one experiment gave, as a file below {@code perf/results}.
 *
 * @param experiment the command, or the method where it was none
 * @param title one line for the reader of the table
 * @param source {@link #MEASURED} if the command wrote the file, {@link #TRANSCRIBED} if it was copied from a text
 * @param commit of the code that ran; null if it is not known
 * @param documented commit that first stated the figures; null for a file that a command wrote
 * @param date ISO 8601, of the run, or of the text
 * @param machine processor, number of cores, memory
 * @param jvm name and version
 * @param flags of the virtual machine that ran the command; null if they are not known
 * @param command with all its options; null if there was none
 * @param notes what else a reader must know to judge the figures, one sentence or more each
 * @param rows at least one
 */
public record Result(
        String experiment,
        String title,
        String source,
        String commit,
        String documented,
        String date,
        String machine,
        String jvm,
        String flags,
        String command,
        List<String> notes,
        List<ResultRow> rows) {
    static final String MEASURED = "measured";
    static final String TRANSCRIBED = "transcribed";

    /**
     * Reads a file and checks that it has what a reader must know.
     *
     * @throws IOException if it is no result; the message names the file and what is wrong
     */
    public static Result read(Path file) throws IOException {
        try {
            Result result = new GsonBuilder().create().fromJson(Files.readString(file), Result.class);
            if (result == null) {
                throw new IOException(file + " is empty");
            }
            result.check(file);
            return result;
        } catch (JsonParseException e) {
            throw new IOException(file + " is no result: " + e.getMessage(), e);
        }
    }

    /** Writes the file, with its fields in their order and nulls left out. */
    public void write(Path file) throws IOException {
        check(file);
        Files.writeString(
                file,
                new GsonBuilder()
                                .setPrettyPrinting()
                                .disableHtmlEscaping()
                                .create()
                                .toJson(this)
                        + "\n");
    }

    private void check(Path file) throws IOException {
        require(file, "experiment", experiment);
        require(file, "title", title);
        require(file, "date", date);
        require(file, "machine", machine);
        require(file, "jvm", jvm);
        if (!MEASURED.equals(source) && !TRANSCRIBED.equals(source)) {
            throw new IOException(file + ": source is " + source + ", expected " + MEASURED + " or " + TRANSCRIBED);
        }
        if (source.equals(MEASURED)) {
            require(file, "command", command);
        } else {
            require(file, "documented", documented);
        }
        if (notes == null || rows == null || rows.isEmpty()) {
            throw new IOException(file + ": notes or rows are missing");
        }
        for (ResultRow row : rows) {
            require(file, "label of a row", row.label());
            for (String key : row.figures().keySet()) {
                Figure.of(key)
                        .orElseThrow(() -> new IOException(file + ": " + key + " in the row \"" + row.label()
                                + "\" is no figure; add it to Figure with its unit"));
            }
        }
    }

    private static void require(Path file, String name, String value) throws IOException {
        if (value == null || value.isBlank()) {
            throw new IOException(file + ": " + name + " is missing");
        }
    }
}
