package io.sealbook.perf.results;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Where a result was measured: facts of this machine. */
public final class RunFacts {
    private RunFacts() {}

    /**
     * Returns a command with its options, as it was given.
     *
     * @param spec of the command that runs
     */
    public static List<String> commandLine(CommandSpec spec) {
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        List<String> own = arguments.subList(arguments.indexOf(spec.name()) + 1, arguments.size());
        return Stream.concat(Stream.of(spec.name()), own.stream()).toList();
    }

    /**
     * Returns what a command measured, with the facts of this machine and this process.
     *
     * @param command its name and options, as given
     * @param title one line for the reader of the table
     * @param home the checkout's folder, whose commit is recorded
     * @param notes what else a reader must know
     * @param rows the figures
     */
    public static Result measured(
            List<String> command, String title, Path home, List<String> notes, List<ResultRow> rows) {
        return new Result(
                command.get(0),
                title,
                Result.MEASURED,
                commit(home),
                null,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                machine(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
                String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()),
                String.join(" ", command),
                notes,
                rows);
    }

    /** Returns the commit, with "+ changes" if files differ from it; null without git. */
    static String commit(Path home) {
        String head = git(home, "rev-parse", "--short=12", "HEAD");
        String changes = git(home, "status", "--porcelain", "--untracked-files=no");
        return head == null || head.isEmpty()
                ? null
                : head + (changes == null || changes.isEmpty() ? "" : " + changes");
    }

    static String machine() {
        long memory = ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getTotalMemorySize();
        return processor() + ", " + Runtime.getRuntime().availableProcessors() + " cores, " + (memory >> 30) + " GiB, "
                + System.getProperty("os.name") + " " + System.getProperty("os.arch");
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .orElse("unknown processor");
        } catch (IOException e) {
            return "unknown processor";
        }
    }

    private static String git(Path home, String... arguments) {
        try {
            Process process = new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments))
                            .toList())
                    .directory(home.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? output : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
