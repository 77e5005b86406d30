package io.sealbook.fuzz;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Lets Jazzer look for inputs, one decoder after the other, each in a process. New inputs that reach a new branch are
 * kept in the corpus. A finding ends the run of its decoder; its input is left in {@code target/fuzz/NAME}.
 */
public final class FuzzRun {
    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
    private static final int INPUT_LENGTH_MAX = 16_384;
    /** Seconds after which an input counts as a loop. */
    private static final int INPUT_SECONDS_MAX = 10;

    private final Path module;
    private final int seconds;

    private FuzzRun(Path module, int seconds) {
        this.module = module;
        this.seconds = seconds;
    }

    /**
     * Runs the decoders; the exit code is 0 if there was no finding.
     *
     * @param arguments directory of this module, seconds for each decoder, names with commas between them or
     *     {@code all}
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        FuzzRun run = new FuzzRun(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        List<Decoder> decoders = arguments[2].equals("all")
                ? Decoders.all()
                : Arrays.stream(arguments[2].split(",")).map(Decoders::named).toList();
        List<String> findings = new ArrayList<>();
        for (Decoder decoder : decoders) {
            if (!run.isClean(decoder)) {
                findings.add(decoder.name());
            }
        }
        System.out.println(decoders.size() + " decoders, findings in " + findings);
        System.exit(findings.isEmpty() ? 0 : 1);
    }

    private boolean isClean(Decoder decoder) throws IOException, InterruptedException {
        Path work = module.resolve("target/fuzz").resolve(decoder.name());
        Path known = emptied(work.resolve("known"));
        Path found = emptied(work.resolve("found"));
        Corpus corpus = Corpus.of(module, decoder);
        write(known, decoder.seeds().get());
        write(known, corpus.read());
        int exitCode = jazzer(
                decoder,
                work,
                "-max_total_time=" + seconds,
                "-max_len=" + INPUT_LENGTH_MAX,
                "-timeout=" + INPUT_SECONDS_MAX,
                found.toString(),
                known.toString());
        if (exitCode != 0) {
            System.out.println(decoder.name() + ": FINDING, exit code " + exitCode + ", see " + work);
            return false;
        }
        List<byte[]> inputs = corpus.read();
        inputs.addAll(read(found));
        corpus.replace(inputs);
        System.out.println(decoder.name() + ": " + corpus.read().size() + " inputs");
        return true;
    }

    private static int jazzer(Decoder decoder, Path work, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-Xmx1g",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                JAZZER,
                "--target_class=" + JazzerEntry.class.getName(),
                "--target_args=" + decoder.name(),
                "--instrumentation_includes=io.sealbook.**",
                "--custom_hook_includes=io.sealbook.**",
                "--reproducer_path=" + work));
        command.addAll(List.of(arguments));
        command.add("-artifact_prefix=" + work + "/");
        command.add("-rss_limit_mb=3000");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(work.resolve("log").toFile()))
                .start();
        try {
            return process.waitFor();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void write(Path directory, List<byte[]> inputs) throws IOException {
        for (byte[] input : inputs) {
            Files.write(directory.resolve(Digest.sha256(input).hex()), input);
        }
    }

    private static List<byte[]> read(Path directory) throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                inputs.add(Files.readAllBytes(file));
            }
        }
        return inputs;
    }

    private static Path emptied(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        return directory;
    }
}
