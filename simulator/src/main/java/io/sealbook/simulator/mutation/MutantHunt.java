package io.sealbook.simulator.mutation;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Looks for what finds each mutant. Two processes, one with the simulator and one with the tests, take mutants one
 * after the other; a mutant that does not fit into a running process, or ends it, gets another. One thread.
 */
final class MutantHunt implements AutoCloseable {
    private static final String SEED_FINDER = "io.sealbook.simulator.SeedFinder";
    private static final String TEST_FINDER = "io.sealbook.simulator.mutation.TestFinder";

    private static final long SEEDS_WITHOUT_MUTANT = 3;

    private final Path repository;
    private final long seeds;
    private final MutantCompiler compiler;
    private final Path work;
    private final Path agent;
    private final Lane simulator;
    private final Lane tests;

    /** A process that runs one finder, and is started again when it has ended. */
    private final class Lane implements AutoCloseable {
        private final List<Path> classPath;
        private final String finder;
        private WorkerProcess process;

        Lane(List<Path> classPath, String finder) {
            this.classPath = classPath;
            this.finder = finder;
        }

        WorkerProcess.Answer ask(String classes, List<String> arguments) throws IOException {
            if (process == null || !process.isAlive()) {
                process = new WorkerProcess(classPath, agent, finder);
            }
            WorkerProcess.Answer answer = process.ask(classes, arguments);
            return answer.outcome() == WorkerProcess.Outcome.UNFIT ? askAlone(Path.of(classes), arguments) : answer;
        }

        private WorkerProcess.Answer askAlone(Path classes, List<String> arguments) throws IOException {
            List<Path> withMutant = new ArrayList<>(List.of(classes));
            withMutant.addAll(classPath);
            try (WorkerProcess alone = new WorkerProcess(withMutant, agent, finder)) {
                return alone.ask("", arguments);
            }
        }

        @Override
        public void close() {
            if (process != null) {
                process.close();
            }
        }
    }

    /**
     * Prepares a directory for classes.
     *
     * @param repository root of the checkout that has the sources
     * @param classPath of the simulator without mistakes
     * @param testClassPath of the tests that find what the simulator does not
     * @param seeds that are run at most for a mutant
     */
    MutantHunt(Path repository, List<Path> classPath, List<Path> testClassPath, long seeds) {
        this.repository = repository;
        this.seeds = seeds;
        compiler = new MutantCompiler(
                Stream.concat(classPath.stream(), testClassPath.stream()).toList());
        simulator = new Lane(classPath, SEED_FINDER);
        tests = new Lane(testClassPath, TEST_FINDER);
        try {
            work = Files.createTempDirectory("mutants");
            agent = writeAgent(work.resolve("agent.jar"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class of the agent is on the class path; the jar says only that it is one. */
    static Path writeAgent(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", HuntAgent.class.getName());
        manifest.getMainAttributes().putValue("Can-Redefine-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    /**
     * Compiles a mutant; returns the directory of its classes.
     *
     * @throws StaleMutantException if it does not fit the source, or does not compile
     */
    Path compile(Mutant mutant) {
        Path classes = work.resolve(mutant.name());
        compiler.compile(mutant, mutant.applyTo(repository), classes);
        return classes;
    }

    /**
     * Runs tests and a few seeds without a mistake: what fails anyway finds nothing.
     *
     * @param mutants whose finders are run
     * @return what failed; empty if nothing did
     */
    Optional<String> failureWithoutMutant(List<Mutant> mutants) throws IOException {
        List<String> testClasses = mutants.stream()
                .flatMap(mutant -> mutant.tests().stream())
                .distinct()
                .toList();
        WorkerProcess.Answer held = new WorkerProcess.Answer(WorkerProcess.Outcome.HELD, 0, "");
        WorkerProcess.Answer ofTests = testClasses.isEmpty() ? held : tests.ask("", testClasses);
        WorkerProcess.Answer ofSeeds = mutants.stream().anyMatch(Mutant::isFoundBySimulator)
                ? simulator.ask("", List.of(Long.toString(SEEDS_WITHOUT_MUTANT)))
                : held;
        return Stream.of(ofTests, ofSeeds)
                .filter(WorkerProcess.Answer::isFound)
                .map(WorkerProcess.Answer::fact)
                .findFirst();
    }

    /** Plants a mutant and looks for it until it is found, or all seeds or tests have run. */
    MutantVerdict find(Mutant mutant) throws IOException {
        long startNs = System.nanoTime();
        String classes = compile(mutant).toString();
        WorkerProcess.Answer answer = mutant.isFoundBySimulator()
                ? simulator.ask(classes, List.of(Long.toString(seeds)))
                : tests.ask(classes, mutant.tests());
        String finder = mutant.isFoundBySimulator() ? MutantVerdict.SIMULATOR : String.join(" ", mutant.tests());
        return new MutantVerdict(
                mutant,
                answer.isFound() ? finder : MutantVerdict.NOBODY,
                answer.seeds(),
                (System.nanoTime() - startNs) / 1e9,
                answer.fact());
    }

    @Override
    public void close() throws IOException {
        simulator.close();
        tests.close();
        compiler.close();
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
