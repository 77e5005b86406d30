package io.sealbook.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tlc2.TLC;

/** Runs TLC in a process: it keeps its state in static fields and ends the virtual machine. */
final class Tlc {
    static final Path MODULES = Path.of("src", "main", "tla");

    private static final Path WORK = Path.of("target", "tlc");
    private static final Pattern VIOLATED = Pattern.compile("Error: Invariant (\\w+) is violated");
    private static final Pattern STATES =
            Pattern.compile("(\\d+) states generated, (\\d+) distinct states found, 0 states left on queue");

    /**
     * What TLC found.
     *
     * @param text all that it printed
     */
    record Result(String text) {
        /** Returns the name of the first invariant that does not hold, empty if all hold. */
        String violated() {
            Matcher matcher = VIOLATED.matcher(text);
            return matcher.find() ? matcher.group(1) : "";
        }

        /** Returns whether all reachable states were seen and none breaks a rule. */
        boolean isComplete() {
            return text.contains("Model checking completed. No error has been found.");
        }

        /** Returns the number of distinct states, 0 if the search did not end. */
        long distinctStates() {
            Matcher matcher = STATES.matcher(text);
            return matcher.find() ? Long.parseLong(matcher.group(2)) : 0;
        }
    }

    private Tlc() {}

    /**
     * Checks a module.
     *
     * @param name of this run, for its files below {@code target/tlc}
     * @param module its name
     * @param config text of the configuration
     * @param extra texts of modules that are not among {@link #MODULES}, by name
     * @param workers threads; one makes the search deterministic
     */
    static Result check(String name, String module, String config, Map<String, String> extra, int workers) {
        try {
            Path directory = Files.createDirectories(WORK.resolve(name));
            try (Stream<Path> modules = Files.list(MODULES)) {
                for (Path file : modules.toList()) {
                    Files.copy(file, directory.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            for (Map.Entry<String, String> text : extra.entrySet()) {
                Files.writeString(directory.resolve(text.getKey() + ".tla"), text.getValue());
            }
            Files.writeString(directory.resolve("Run.cfg"), config);
            return new Result(run(directory, module, workers));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String run(Path directory, String module, int workers) throws IOException {
        Path log = directory.resolve("log.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx3g",
                        "-Xss16m",
                        "-XX:+UseParallelGC",
                        "-cp",
                        jar().toString(),
                        TLC.class.getName(),
                        "-deadlock",
                        "-cleanup",
                        "-workers",
                        Integer.toString(workers),
                        "-config",
                        "Run.cfg",
                        module + ".tla")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while TLC runs", e);
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(log);
    }

    private static Path jar() {
        try {
            return Path.of(TLC.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the jar of TLC has no path", e);
        }
    }
}
