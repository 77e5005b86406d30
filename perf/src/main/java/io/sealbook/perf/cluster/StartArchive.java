package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * A program with an archive of its loaded classes (JEP 350), which the virtual machine maps instead of loading, parsing
 * and verifying thousands of them again in each of a cluster's processes: half of their processor time until they are
 * ready.
 *
 * <p>Made once for a build and a virtual machine, by a run of its own, in {@code target/start-*} beside the jar. The
 * engine's jar is unpacked there first, because classes in nested jars cannot be archived. Without an archive, or with
 * one that does not fit, programs start as ever, only later.
 *
 * <p>From Java 25 on a run under load can take its place: of that one, methods' profiles are kept too (JEP 515), so
 * that the compilers need not wait for a program to show what it does. A virtual machine with other options than those
 * of that run may refuse it silently; therefore it is checked first.
 *
 * @param jar what {@code java -jar} takes
 * @param options for the virtual machine
 * @param isTrained whether they name what a run under load left, and the virtual machine takes it
 * @param home where archives are; null when there is no place for them
 */
record StartArchive(Path jar, List<String> options, boolean isTrained, Path home) {
    private static final long TRAINING_TIMEOUT_MS = 180_000;
    private static final long POLL_MS = 50;
    private static final int TRAINING_HEAP_MB = 512;
    private static final String HOME_PREFIX = "start-";
    private static final String ARCHIVE = "classes.jsa";
    private static final String TRAINED = "trained.aot";
    private static final String TRAINED_UNFINISHED = TRAINED + ".unfinished";
    private static final String TRAINED_CONFIGURATION = "trained.aotconf";
    private static final List<String> SILENT = List.of("-Xlog:aot*=off", "-Xlog:cds*=off");
    private static final List<String> NODE_FILES =
            List.of("genesis.json", "node.properties", "node.key", "node.key.never-voted");

    /** How a program is run to see which classes it loads. */
    private interface Training {
        void run(List<String> options, Path jar, Path scratch, Path log) throws IOException, InterruptedException;
    }

    /**
     * Returns the program of a node or a replica; {@code directory} is a node's that never started, whose ports are
     * free now and whose files are copied.
     *
     * @param heapMb of the processes to come
     */
    static StartArchive node(Path jar, Path directory, int heapMb) throws InterruptedException {
        return prepare(jar, false, heapMb, (options, program, scratch, log) -> {
            for (String name : NODE_FILES) {
                Files.copy(directory.resolve(name), scratch.resolve(name));
            }
            Process process = start(options, program, scratch, log);
            long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TRAINING_TIMEOUT_MS);
            while (process.isAlive() && !Files.readString(log).contains(" ready: gateway ")) {
                if (System.nanoTime() > deadlineNs) {
                    break;
                }
                Thread.sleep(POLL_MS);
            }
            // The archive is written when a virtual machine ends in good order.
            process.destroy();
            await(process, log);
        });
    }

    /**
     * Returns the engine's program; {@code directory} is the node's, of which it needs the genesis file.
     *
     * @param heapMb of the processes to come
     */
    static StartArchive engine(Path jar, Path directory, int heapMb) throws InterruptedException {
        return prepare(jar, true, heapMb, (options, program, scratch, log) -> {
            Files.copy(directory.resolve("genesis.json"), scratch.resolve("genesis.json"));
            List<String> untilWired = new ArrayList<>(options);
            // Spring ends when every bean is made and nothing has been started.
            untilWired.add("-Dspring.context.exit=onRefresh");
            await(start(untilWired, program, scratch, log), log);
        });
    }

    private static Process start(List<String> options, Path jar, Path scratch, Path log) throws IOException {
        return new ProcessBuilder(
                        LocalCluster.java(TRAINING_HEAP_MB, options, jar, List.of("start", scratch.toString())))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static void await(Process process, Path log) throws IOException, InterruptedException {
        if (!process.waitFor(TRAINING_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
            throw new IOException("training run did not end; see " + log);
        }
    }

    private static StartArchive prepare(Path jar, boolean isNested, int heapMb, Training training)
            throws InterruptedException {
        try {
            Path home = home(jar);
            Path program = isNested ? home.resolve(jar.getFileName()) : jar;
            if (!Files.exists(home.resolve(ARCHIVE))) {
                make(jar, home, isNested, program, training);
            }
            Path trained = home.resolve(TRAINED);
            if (Files.exists(trained)) {
                Optional<String> refusal = refusal(trained, program, heapMb);
                if (refusal.isEmpty()) {
                    return new StartArchive(program, useTrained(trained), true, home);
                }
                System.err.println(jar.getFileName() + " starts untrained, because the virtual machine refuses "
                        + trained + ": " + refusal.get());
            }
            return Files.exists(home.resolve(ARCHIVE))
                    ? new StartArchive(program, use(home.resolve(ARCHIVE)), false, home)
                    : new StartArchive(jar, List.of(), false, null);
        } catch (IOException e) {
            System.err.println(jar.getFileName() + " starts without an archive of its classes: " + e);
            return new StartArchive(jar, List.of(), false, null);
        }
    }

    /** Returns the program as it starts without what a run under load left. */
    StartArchive untrained() {
        return isTrained ? new StartArchive(jar, use(home.resolve(ARCHIVE)), false, home) : this;
    }

    /** Returns where archives of a jar are under this Java. Reproducible builds give all jars one time: bytes count. */
    static Path home(Path jar) throws IOException {
        return jar.resolveSibling(HOME_PREFIX
                + buildOfJar(jar)
                + "-"
                + System.getProperty("java.vm.version").replaceAll("[^A-Za-z0-9.]", "_"));
    }

    private static String buildOfJar(Path jar) throws IOException {
        try (FileChannel channel = FileChannel.open(jar)) {
            CRC32C checksum = new CRC32C();
            checksum.update(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()));
            return Long.toHexString(channel.size()) + "_" + Long.toHexString(checksum.getValue());
        }
    }

    /**
     * Starts a virtual machine that ends at once and returns its message if it refuses a cache. Costs about a tenth of
     * a second.
     */
    private static Optional<String> refusal(Path cache, Path jar, int heapMb) throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("-XX:AOTMode=on", "-XX:AOTCache=" + cache));
        options.addAll(List.of("-Xlog:disable", "-Xlog:aot*=warning,cds*=warning:stdout:none"));
        // What follows the last of them is not read any more.
        options.addAll(List.of("-cp", jar.toString(), "-version"));
        Process process = new ProcessBuilder(LocalCluster.java(heapMb, options, jar, List.of()))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0
                ? Optional.empty()
                : Optional.of(output.lines()
                        .takeWhile(line -> !line.startsWith("Error occurred during initialization"))
                        .collect(Collectors.joining("; ")));
    }

    /** Options under which an archive that is missing or does not fit costs not even a line of output. */
    static List<String> use(Path archive) {
        return List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto", "-Xlog:cds*=off");
    }

    /** Does what {@link #use} does for what {@link #keepTrained} put into use. */
    static List<String> useTrained(Path cache) {
        List<String> options = new ArrayList<>(SILENT);
        options.add("-XX:AOTCache=" + cache);
        return options;
    }

    /**
     * Returns the options of a run to be kept by {@link #makeTrained}.
     *
     * @throws IOException if there is no place for it
     */
    List<String> training() throws IOException {
        if (home == null) {
            throw new IOException("no place to keep what " + jar.getFileName() + " learns");
        }
        Files.deleteIfExists(home.resolve(TRAINED_CONFIGURATION));
        List<String> options = new ArrayList<>(SILENT);
        options.addAll(List.of("-XX:AOTMode=record", "-XX:AOTConfiguration=" + home.resolve(TRAINED_CONFIGURATION)));
        return options;
    }

    /**
     * Makes a cache of what the run with {@link #training} learnt, once that has ended, and checks that this virtual
     * machine takes it. {@link #keepTrained} puts it into use.
     *
     * @throws IOException if the run left nothing, or nothing that can be used
     */
    void makeTrained() throws IOException, InterruptedException {
        Path configuration = home.resolve(TRAINED_CONFIGURATION);
        if (!Files.exists(configuration)) {
            throw new IOException(jar.getFileName() + " recorded nothing in " + configuration);
        }
        Path unfinished = home.resolve(TRAINED_UNFINISHED);
        Files.deleteIfExists(unfinished);
        runToEnd("-XX:AOTMode=create", "-XX:AOTConfiguration=" + configuration, "-XX:AOTCache=" + unfinished);
        Files.delete(configuration);
        runToEnd("-XX:AOTMode=on", "-XX:AOTCache=" + unfinished);
    }

    /** Makes later starts use what {@link #makeTrained} made. */
    void keepTrained() throws IOException {
        Files.move(
                home.resolve(TRAINED_UNFINISHED),
                home.resolve(TRAINED),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    /** Runs the program with these options and {@code --help}. */
    private void runToEnd(String... options) throws IOException, InterruptedException {
        Path log = home.resolve("trained.log");
        Process process = new ProcessBuilder(
                        LocalCluster.java(TRAINING_HEAP_MB, List.of(options), jar, List.of("--help")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await(process, log);
        if (process.exitValue() != 0) {
            throw new IOException("cannot use what " + jar.getFileName() + " learnt (" + options[0] + "); see " + log);
        }
    }

    private static void make(Path jar, Path home, boolean isNested, Path program, Training training)
            throws IOException, InterruptedException {
        Path lockFile = jar.resolveSibling("start.lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return; // Another program is making it.
            }
            deleteOlder(jar, home);
            if (isNested) {
                unpack(jar, home);
            } else {
                Files.createDirectories(home);
            }
            Path unfinished = home.resolve(ARCHIVE + ".unfinished");
            Path log = home.resolve("training.log");
            Path scratch = Files.createTempDirectory(home, "training");
            try {
                training.run(
                        List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:cds*=off"), program, scratch, log);
            } finally {
                WorkDirectory.delete(scratch);
            }
            if (!Files.exists(unfinished)) {
                throw new IOException("training run left no archive; see " + log);
            }
            Files.move(unfinished, home.resolve(ARCHIVE), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Unpacks the engine's jar; what an interrupted run has left in {@code home} goes. */
    static void unpack(Path jar, Path home) throws IOException, InterruptedException {
        if (Files.exists(home)) {
            WorkDirectory.delete(home);
        }
        Process process = new ProcessBuilder(LocalCluster.java(
                        TRAINING_HEAP_MB,
                        List.of("-Djarmode=tools"),
                        jar,
                        List.of("extract", "--destination", home.toString())))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("cannot unpack " + jar + ": exit code " + process.exitValue());
        }
    }

    /** Deletes what was made for earlier builds, and keeps what is of this one under another Java. */
    private static void deleteOlder(Path jar, Path home) throws IOException {
        String build = buildOf(home);
        try (Stream<Path> siblings = Files.list(jar.getParent())) {
            for (Path old : siblings.filter(
                            path -> path.getFileName().toString().startsWith(HOME_PREFIX)
                                    && !buildOf(path).equals(build))
                    .toList()) {
                WorkDirectory.delete(old);
            }
        }
    }

    private static String buildOf(Path home) {
        return home.getFileName().toString().split("-", 3)[1];
    }
}
