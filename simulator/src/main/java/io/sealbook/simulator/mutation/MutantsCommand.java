package io.sealbook.simulator.mutation;

import io.sealbook.vocabulary.ProductVersion;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Plants the bugs of the catalogue one at a time. Exit code 0 if each was found, 1 if one was not or is stale, or no
 * bug has a name that is asked for.
 */
@Command(
        name = "mutants",
        mixinStandardHelpOptions = true,
        description = {
            "Plants the bugs of simulator/mutants in the code one at a time and looks for what finds each: seeds of the"
                    + " simulator, or the unit test that its entry names.",
            "Needs a checkout whose modules are built (./mvnw -DskipTests package)."
        })
public final class MutantsCommand implements Callable<Integer> {
    /** The build writes the class path of the tests there. */
    private static final String TEST_CLASS_PATH = "simulator/target/test.classpath";

    private static final String TESTS_SUFFIX = "-tests.jar";
    private static final String TEST_CLASSES = "simulator/target/test-classes";
    private static final String CLASSES = "simulator/target/classes";

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Only mutants whose name or file contains one of these texts.")
    private List<String> only = List.of("");

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Seeds for a mutant at most (default: ${DEFAULT-VALUE}).")
    private long seeds = 2_000;

    @Option(names = "--check", description = "Plants and compiles, and runs nothing.")
    private boolean isCheck;

    @Option(
            names = "--repository",
            paramLabel = "DIR",
            description = "Root of the checkout (default: the present directory).")
    private Path repository = Path.of("");

    @Option(names = "--simulator", description = "Runs the simulator for mutants that tests find, too.")
    private boolean isSimulatorOnly;

    @Option(
            names = "--results",
            paramLabel = "FILE",
            description = "Table, tab-separated: rows of these mutants are written there, others stay.")
    private Path results;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<Mutant> catalogue = MutantCatalogue.read(repository);
        List<String> unknown = only.stream()
                .filter(text -> catalogue.stream().noneMatch(mutant -> isMatch(mutant, text)))
                .toList();
        if (!unknown.isEmpty()) {
            out.println("no mutant has a name or file with " + String.join(", ", unknown));
            out.flush();
            return 1;
        }
        List<Mutant> mutants = catalogue.stream()
                .filter(mutant -> only.stream().anyMatch(text -> isMatch(mutant, text)))
                .map(mutant -> isSimulatorOnly ? mutant.withoutTests() : mutant)
                .toList();
        List<String> stale = mutants.stream()
                .map(mutant -> mutant.staleness(repository))
                .flatMap(Optional::stream)
                .toList();
        stale.forEach(out::println);
        if (!stale.isEmpty()) {
            out.println(stale.size() + " of " + mutants.size() + " mutants are stale");
            out.flush();
            return 1;
        }
        try (MutantHunt hunt = new MutantHunt(repository, classPath(), testClassPath(), seeds)) {
            return isCheck ? check(hunt, mutants, out) : hunt(hunt, mutants, out);
        }
    }

    private static boolean isMatch(Mutant mutant, String text) {
        return mutant.name().contains(text) || mutant.file().contains(text);
    }

    private static int check(MutantHunt hunt, List<Mutant> mutants, PrintWriter out) {
        mutants.forEach(hunt::compile);
        out.println(mutants.size() + " mutants can be planted");
        out.flush();
        return 0;
    }

    private int hunt(MutantHunt hunt, List<Mutant> mutants, PrintWriter out) throws IOException {
        Optional<String> failure = hunt.failureWithoutMutant(mutants);
        if (failure.isPresent()) {
            out.println("fails without any mutant: " + failure.get());
            out.flush();
            return 1;
        }
        List<MutantVerdict> verdicts = new ArrayList<>();
        for (Mutant mutant : mutants) {
            MutantVerdict verdict = hunt.find(mutant);
            verdicts.add(verdict);
            out.printf(
                    "%d/%d %-44s %s after %d seeds, %.1f s: %s%n",
                    verdicts.size(),
                    mutants.size(),
                    mutant.name(),
                    verdict.finder(),
                    verdict.seeds(),
                    verdict.seconds(),
                    verdict.fact());
            out.flush();
            if (results != null) {
                write(verdict);
            }
        }
        long found = verdicts.stream().filter(MutantVerdict::isFound).count();
        long bySimulator =
                verdicts.stream().filter(MutantVerdict::isFoundBySimulator).count();
        out.printf(
                "%d mutants: %d found, %d of them by the simulator; not found:%s%n",
                verdicts.size(),
                found,
                bySimulator,
                verdicts.stream()
                        .filter(verdict -> !verdict.isFound())
                        .map(verdict -> " " + verdict.mutant().name())
                        .reduce("", String::concat));
        out.flush();
        return found == verdicts.size() ? 0 : 1;
    }

    /** The rows are in the order of the catalogue; one whose mutant is gone goes, too. */
    private void write(MutantVerdict verdict) throws IOException {
        Map<String, String> rows = new HashMap<>();
        if (Files.exists(results)) {
            Files.readAllLines(results).forEach(row -> rows.put(row.substring(0, row.indexOf('\t')), row));
        }
        rows.put(verdict.mutant().name(), verdict.row());
        List<String> lines = new ArrayList<>(List.of(MutantVerdict.COLUMNS));
        MutantCatalogue.read(repository).stream()
                .map(mutant -> rows.get(mutant.name()))
                .filter(Objects::nonNull)
                .forEach(lines::add);
        Files.write(results, lines);
    }

    private static List<Path> classPath() {
        return paths(System.getProperty("java.class.path"));
    }

    private List<Path> testClassPath() throws IOException {
        Path file = repository.resolve(TEST_CLASS_PATH);
        List<Path> paths = new ArrayList<>(List.of(repository.resolve(TEST_CLASSES), repository.resolve(CLASSES)));
        if (Files.exists(file)) {
            paths(Files.readString(file).strip()).forEach(path -> paths.add(asDirectory(path)));
        }
        return paths;
    }

    /** Some tests read their resources as files. */
    private Path asDirectory(Path path) {
        String name = path.getFileName().toString();
        int versionAt = name.indexOf("-" + ProductVersion.text());
        if (!name.endsWith(TESTS_SUFFIX) || versionAt < 0) {
            return path;
        }
        Path directory = repository.resolve(name.substring(0, versionAt)).resolve("target/test-classes");
        return Files.isDirectory(directory) ? directory.toAbsolutePath() : path;
    }

    private static List<Path> paths(String joined) {
        return Arrays.stream(joined.split(File.pathSeparator))
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .toList();
    }
}
