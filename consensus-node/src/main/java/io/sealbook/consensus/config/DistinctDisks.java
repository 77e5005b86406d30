package io.sealbook.consensus.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Tells on which disks directories are. */
public final class DistinctDisks {
    private DistinctDisks() {}

    /** Returns the disk of a directory that exists. */
    public interface DiskOf {
        /** @throws IOException if the system does not say, as where {@code /proc/mounts} is hidden from the process */
        Object disk(Path directory) throws IOException;
    }

    /**
     * Returns the first directory of each disk, of those that exist. One whose disk cannot be told counts as a disk of
     * its own.
     *
     * @param directories that need not exist
     * @param diskOf tells directories of one disk by equal results
     * @param unknown takes each such directory and the reason
     */
    public static List<Path> of(List<Path> directories, DiskOf diskOf, BiConsumer<Path, IOException> unknown) {
        List<Path> distinct = new ArrayList<>();
        Set<Object> disks = new HashSet<>();
        for (Path directory : directories) {
            if (Files.isDirectory(directory) && isAnother(directory, disks, diskOf, unknown)) {
                distinct.add(directory);
            }
        }
        return distinct;
    }

    private static boolean isAnother(
            Path directory, Set<Object> disks, DiskOf diskOf, BiConsumer<Path, IOException> unknown) {
        try {
            return disks.add(diskOf.disk(directory));
        } catch (IOException e) {
            unknown.accept(directory, e);
            return true;
        }
    }
}
