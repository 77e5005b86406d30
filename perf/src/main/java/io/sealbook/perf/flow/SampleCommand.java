package io.sealbook.perf.flow;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a {@link SampleDay} to a file. */
@Command(
        name = "sample",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Writes a day of a market that does not exist, in the format of a Shanghai flow file.")
public final class SampleCommand implements Callable<Integer> {
    @Option(names = "--seed", defaultValue = "1", description = "The same seed makes the same day.")
    private long seed;

    @Option(
            names = "--entries",
            defaultValue = "40000",
            description = "Orders and cancels, at most " + SampleDay.ENTRIES_MAX + ".")
    private int entries;

    @Parameters(paramLabel = "FILE", description = "The file to write; compressed if it ends with .gz.")
    private Path file;

    @Override
    public Integer call() throws IOException {
        OutputStream bytes = Files.newOutputStream(file);
        try (BufferedWriter writer = new BufferedWriter(new OutputStreamWriter(
                file.toString().endsWith(".gz") ? new GZIPOutputStream(bytes) : bytes, StandardCharsets.US_ASCII))) {
            for (String row : SampleDay.rows(seed, entries)) {
                writer.write(row);
                writer.write('\n');
            }
        }
        return 0;
    }
}
