package io.sealbook.perf.results;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the tables of result files. */
@Command(
        name = "results",
        mixinStandardHelpOptions = true,
        description = "Prints the tables of result files as Markdown.")
public final class ResultsCommand implements Callable<Integer> {
    static final String FOLDER = "perf/results";

    @Parameters(
            paramLabel = "FILE",
            arity = "0..*",
            description = "Result files (default: all of HOME/" + FOLDER + ").")
    private List<Path> files;

    private final PrintStream out = System.out;

    @Override
    public Integer call() throws IOException {
        out.print(markdown(files != null ? files : all(Home.find().resolve(FOLDER))));
        return 0;
    }

    /** Returns all result files of a folder, by name. */
    static List<Path> all(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }

    static String markdown(List<Path> files) throws IOException {
        StringBuilder text =
                new StringBuilder("# Results\n\nMade from the files of this folder by `perf.jar results`;\n"
                        + "what was measured and how is in [perf/README.md](../README.md).\n");
        for (Path file : files) {
            text.append('\n').append(ResultTable.markdown(file.getFileName().toString(), Result.read(file)));
        }
        return text.toString();
    }
}
