package io.sealbook.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;

/** Segment files with any blocks in them: what a forger writes, whose program checks nothing. */
public final class UncheckedArchive {
    private UncheckedArchive() {}

    /**
     * Writes the files of an archive.
     *
     * @param directory created if it does not exist
     * @param config of the archive
     * @param blocks from number 1 on; whether they form a chain is not checked
     */
    public static void write(Path directory, ArchiveConfig config, List<byte[]> blocks) throws IOException {
        Files.createDirectories(directory);
        SegmentAppender appender = new SegmentAppender(
                directory, config, OpenSegment.READ_WRITE, Executors.newSingleThreadExecutor(), () -> 77);
        for (int i = 0; i < blocks.size(); i++) {
            appender.append(i + 1, blocks.get(i));
        }
        appender.close();
    }
}
