package io.sealbook.consensus.doctor;

import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.config.DistinctDisks;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.keytool.Finding;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Room, speed and permissions of the disks of a node's directory. */
final class DiskChecks {
    /** A node stops voting when it cannot write; a segment of the archive and a log need some of this at once. */
    private static final long FREE_MIN = 1L << 30;

    private static final long FREE_PERCENT_RECOMMENDED = 10;
    private static final Set<PosixFilePermission> READERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_EXECUTE);

    private static final int WRITE_LENGTH = 16 << 20;
    private static final int CHUNK_LENGTH = 1 << 20;
    private static final int SYNC_COUNT = 15;
    private static final int SYNC_LENGTH = 4096;
    /** Half of a gigabit per second: blocks of a loaded node are a few MB per second. */
    private static final double MB_PER_SECOND_MIN = 50;
    /** With durability=disk each vote waits for a sync. */
    private static final double SYNC_MS_MAX = 20;

    private DiskChecks() {}

    static List<Finding> run(NodeDirectory files) {
        return run(files, Files::getFileStore);
    }

    static List<Finding> run(NodeDirectory files, DistinctDisks.DiskOf diskOf) {
        List<Finding> findings = new ArrayList<>();
        permissions(files.root(), findings);
        List<Path> distinct = DistinctDisks.of(
                files.written(),
                diskOf,
                (path, e) -> findings.add(Finding.warn(
                        "disk",
                        path + ": " + FailureText.of(e),
                        "it is checked as a disk of its own; let the process see /proc/mounts")));
        for (Path path : distinct) {
            try {
                check(path, findings);
            } catch (IOException e) {
                findings.add(
                        Finding.fail("disk", path + ": " + FailureText.of(e), "a node must be able to write there"));
            }
        }
        return findings;
    }

    /** Groups may share the directory of a node on purpose, so that only a warning says who may read orders. */
    static Finding directory(String fact, Set<PosixFilePermission> mode, Path root) {
        if (mode.contains(PosixFilePermission.OTHERS_WRITE) || mode.contains(PosixFilePermission.GROUP_WRITE)) {
            return Finding.fail("directory", fact + ": others may replace the node's files", "chmod go-w " + root);
        }
        return Collections.disjoint(mode, READERS)
                ? Finding.ok("directory", fact)
                : Finding.warn(
                        "directory", fact + ": others may read the orders of all brokers", "chmod go-rwx " + root);
    }

    private static void permissions(Path root, List<Finding> findings) {
        if (!root.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return;
        }
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(root);
            String fact = root + " has mode " + PosixFilePermissions.toString(mode) + ", owner "
                    + Files.getOwner(root).getName();
            findings.add(directory(fact, mode, root));
        } catch (IOException e) {
            findings.add(Finding.fail("directory", FailureText.of(e), "make it readable for the node's user"));
        }
    }

    private static void check(Path directory, List<Finding> findings) throws IOException {
        File disk = directory.toFile();
        findings.add(room(directory, disk.getUsableSpace(), disk.getTotalSpace()));
        Path file = Files.createTempFile(directory, ".doctor", ".tmp");
        try {
            findings.add(speed(directory, megabytesPerSecond(file)));
            findings.add(sync(directory, medianSyncMs(file)));
        } finally {
            Files.delete(file);
        }
    }

    static Finding room(Path directory, long free, long total) {
        long percent = total == 0 ? 0 : 100 * free / total;
        String fact = directory + ": " + (free >> 20) + " MiB free, " + percent + " %";
        if (free < FREE_MIN) {
            return Finding.fail("disk space", fact, "make room: a node whose disk is full stops voting");
        }
        return percent < FREE_PERCENT_RECOMMENDED
                ? Finding.warn("disk space", fact, "make room soon: the archive grows with every block")
                : Finding.ok("disk space", fact);
    }

    static Finding speed(Path directory, double megabytesPerSecond) {
        String fact = String.format(Locale.ROOT, "%s: writes %.0f MB/s", directory, megabytesPerSecond);
        return megabytesPerSecond < MB_PER_SECOND_MIN
                ? Finding.warn("disk speed", fact, "look for what else uses the disk, or take a faster one")
                : Finding.ok("disk speed", fact);
    }

    static Finding sync(Path directory, double milliseconds) {
        String fact = String.format(Locale.ROOT, "%s: a sync takes %.1f ms", directory, milliseconds);
        return milliseconds > SYNC_MS_MAX
                ? Finding.warn("disk sync", fact, "with durability=disk every vote waits for it: take a faster disk")
                : Finding.ok("disk sync", fact);
    }

    private static double megabytesPerSecond(Path file) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocate(CHUNK_LENGTH);
        long start = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int written = 0; written < WRITE_LENGTH; ) {
                chunk.clear();
                written += channel.write(chunk);
            }
            channel.force(true);
        }
        return WRITE_LENGTH / 1e6 / ((System.nanoTime() - start) / 1e9);
    }

    private static double medianSyncMs(Path file) throws IOException {
        long[] durations = new long[SYNC_COUNT];
        ByteBuffer record = ByteBuffer.allocate(SYNC_LENGTH);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int i = 0; i < SYNC_COUNT; i++) {
                record.clear();
                long start = System.nanoTime();
                channel.write(record, (long) i * SYNC_LENGTH);
                channel.force(false);
                durations[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(durations);
        return durations[SYNC_COUNT / 2] / 1e6;
    }
}
