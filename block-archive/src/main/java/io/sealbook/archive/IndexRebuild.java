package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the index of every closed segment anew from its records: for an archive whose index entries are damaged and
 * whose blocks are not. Needs the archive for itself. The blocks are not changed.
 */
public final class IndexRebuild {
    private IndexRebuild() {}

    /**
     * What was done.
     *
     * @param segments closed segments whose index was written
     * @param blocks blocks in them
     * @param damagedBlocks sequences of blocks that are damaged themselves; they are entered as such
     */
    public record Result(int segments, long blocks, List<Long> damagedBlocks) {}

    /**
     * Rebuilds; the segment that is not closed is left to the node, which scans it anyway.
     *
     * @throws ArchiveException if the archive is open elsewhere or the disk fails
     * @throws ChainViolationException if the blocks found form no chain
     */
    public static Result run(Path directory) {
        try (ArchiveLock lock = ArchiveLock.take(directory)) {
            int segments = 0;
            long blocks = 0;
            List<Long> damaged = new ArrayList<>();
            SegmentHead firstHead = ArchiveLoading.firstHead(directory);
            Digest previousHash = firstHead.firstSequence() == 1 ? firstHead.genesisDigest() : null;
            for (long first : SegmentFiles.list(directory)) {
                Path file = SegmentFiles.path(directory, first);
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    byte[] head = SegmentFiles.headBytes(channel, file);
                    if (!SegmentHead.isClosed(head)) {
                        previousHash = null;
                        continue;
                    }
                    SegmentHead decoded = SegmentHead.decode(head, file);
                    SegmentScan.Result scan = SegmentScan.scan(file, channel, decoded, previousHash, true);
                    OpenSegment rebuilt = OpenSegment.resume(file, channel, decoded, scan);
                    rebuilt.writeIndex();
                    rebuilt.markClosed();
                    previousHash = scan.lastHash();
                    segments++;
                    blocks += scan.entries().size();
                    damaged.addAll(damaged(decoded, scan));
                }
            }
            return new Result(segments, blocks, List.copyOf(damaged));
        } catch (IOException e) {
            throw PositionalIo.failure("cannot rebuild the index in " + directory, e);
        }
    }

    /** Returns the sequences of the blocks that a scan found damaged. */
    static List<Long> damaged(SegmentHead head, SegmentScan.Result scan) {
        List<Long> damaged = new ArrayList<>();
        for (int i = 0; i < scan.entries().size(); i++) {
            if (scan.entries().get(i).isDamaged()) {
                damaged.add(head.firstSequence() + i);
            }
        }
        return damaged;
    }
}
