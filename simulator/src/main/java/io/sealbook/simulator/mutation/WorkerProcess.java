package io.sealbook.simulator.mutation;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A process that runs {@link HuntWorker}, and ends it if it says nothing for long. One thread. */
final class WorkerProcess implements AutoCloseable {
    /** A process that is silent for this time does not end by itself. */
    private static final long SILENCE_MAX_S = 180;

    private static final List<String> FLAGS = List.of(
            "-Xmx600m",
            "-Xss2m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED");

    private final Process process;
    private final BufferedReader lines;
    private final BufferedWriter commands;
    private final AtomicLong saidNs = new AtomicLong(System.nanoTime());
    private volatile boolean isSilent;

    /** What a worker answered: the outcome, lines of progress before it, and what was found. */
    record Answer(Outcome outcome, long seeds, String fact) {
        boolean isFound() {
            return outcome == Outcome.FOUND;
        }
    }

    enum Outcome {
        /** The finder found something wrong, or did not end. */
        FOUND,
        HELD,
        /** The mutant needs a process for itself. */
        UNFIT
    }

    /**
     * Starts a process.
     *
     * @param classPath its class path, in this order
     * @param agent the jar whose manifest names {@link HuntAgent}
     * @param finder class name of its {@link Finder}
     */
    WorkerProcess(List<Path> classPath, Path agent, String finder) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(FLAGS);
        command.add("-javaagent:" + agent);
        command.add("-cp");
        command.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(HuntWorker.class.getName());
        command.add(finder);
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        lines = process.inputReader();
        commands = process.outputWriter();
        Thread.ofPlatform().daemon().name("mutants-watch").start(this::watch);
    }

    private void watch() {
        try {
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                if (System.nanoTime() - saidNs.get() > TimeUnit.SECONDS.toNanos(SILENCE_MAX_S)) {
                    isSilent = true;
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
        }
    }

    /**
     * Has the process run its finder.
     *
     * @param directory of the mutant's classes; empty for none
     * @param arguments of the finder
     * @throws IllegalStateException if the process ends by itself, or its class path is not whole
     */
    Answer ask(String directory, List<String> arguments) throws IOException {
        saidNs.set(System.nanoTime());
        String command = Stream.concat(Stream.of(directory), arguments.stream()).collect(Collectors.joining("\t"));
        commands.write(command + "\n");
        commands.flush();
        long seeds = 0;
        String last = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            saidNs.set(System.nanoTime());
            if (line.startsWith("seed ")) {
                seeds++;
            } else if (line.startsWith(HuntWorker.FOUND)) {
                return new Answer(Outcome.FOUND, seeds, line.substring(HuntWorker.FOUND.length()));
            } else if (line.equals(HuntWorker.HELD)) {
                return new Answer(Outcome.HELD, seeds, "");
            } else if (line.startsWith(HuntWorker.UNFIT)) {
                return new Answer(Outcome.UNFIT, seeds, line);
            } else if (line.startsWith(HuntWorker.BROKEN)) {
                throw new IllegalStateException("a process of the hunt has a class path that is not whole: "
                        + line.substring(HuntWorker.BROKEN.length()));
            } else {
                last = line;
            }
        }
        if (isSilent) {
            return new Answer(Outcome.FOUND, seeds, "says nothing for " + SILENCE_MAX_S + " s: it does not end");
        }
        throw new IllegalStateException("a process of the hunt has ended: " + last);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
