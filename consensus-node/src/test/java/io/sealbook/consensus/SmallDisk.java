package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory of a process that gets no more room: by RLIMIT_FSIZE, which the kernel enforces like a full disk, or on a
 * file system that is full indeed.
 */
final class SmallDisk {
    private static final List<String> OWN_MOUNTS = List.of("unshare", "--user", "--map-root-user", "--mount");

    private final Path directory;

    private SmallDisk(Path directory) {
        this.directory = directory;
    }

    /** Returns a disk of one MiB for a directory; the test is skipped if this machine allows none. */
    static SmallDisk of(Path directory) throws InterruptedException {
        assumeTrue(isPossible(), "needs mount namespaces: unshare refuses");
        return new SmallDisk(directory);
    }

    /** Returns the command before that of the process. */
    List<String> wrapper() {
        List<String> command = new ArrayList<>(OWN_MOUNTS);
        command.addAll(
                List.of("bash", "-c", "mount -t tmpfs -o size=1m none \"$0\" && exec \"$@\"", directory.toString()));
        return command;
    }

    /** Takes all the room that is left on the disk of a process. */
    void fill(Process process) throws IOException {
        byte[] page = new byte[4_096];
        try (OutputStream filler = Files.newOutputStream(seenBy(process).resolve("filler"))) {
            while (true) {
                filler.write(page);
            }
        } catch (IOException e) {
            if (!e.getMessage().contains("No space left")) {
                throw e;
            }
        }
    }

    /** Gives back what {@link #fill} took. */
    void free(Process process) throws IOException {
        Files.delete(seenBy(process).resolve("filler"));
    }

    /** Returns the directory as the process has it. */
    Path seenBy(Process process) {
        return Path.of("/proc/" + process.pid() + "/root" + directory);
    }

    /** Skips the test if no file size can be limited here. */
    static void assumeLimits() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "needs prlimit: no /usr/bin/prlimit of util-linux");
    }

    /**
     * Lets no file of a process grow any more.
     *
     * @param process that runs
     * @param bytes beyond which no file grows
     */
    static void limitFileSize(Process process, long bytes) throws Exception {
        Process prlimit = new ProcessBuilder(
                        "/usr/bin/prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes)
                .inheritIO()
                .start();
        assertThat(prlimit.waitFor()).isZero();
    }

    private static boolean isPossible() throws InterruptedException {
        List<String> command = new ArrayList<>(OWN_MOUNTS);
        command.addAll(List.of("mount", "-t", "tmpfs", "none", "/mnt"));
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false; // There is no such program.
        }
    }
}
