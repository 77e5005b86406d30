package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Repairs what a crash left in an archive's directory before blocks are appended again: unfinished files and a torn
 * tail go, full segments that were not marked closed get their index.
 *
 * @param firstSequence of the first block; 1 in a new archive
 * @param lastSequence of the last block; 0 in a new archive
 * @param lastHash of the last block, or the genesis digest
 * @param administrationBlock which the next block names: the last one that holds administrative batches, or 0
 * @param open the segment that is not full, if there is one
 * @param recovery what was repaired
 */
record ArchiveResumption(
        long firstSequence,
        long lastSequence,
        Digest lastHash,
        long administrationBlock,
        Optional<OpenSegment> open,
        ArchiveRecovery recovery) {

    /**
     * Repairs a directory whose lock the caller holds.
     *
     * @param directory of the archive
     * @param config expected in every file
     * @param opener of files for writing
     * @param files of the same directory, for reading
     * @throws BlockDamagedException if the last block is damaged: nothing can be appended to it
     */
    static ArchiveResumption run(
            Path directory, ArchiveConfig config, OpenSegment.ChannelOpener opener, SegmentFiles files)
            throws IOException {
        deleteUnfinished(directory);
        ArchiveLoading.State state =
                ArchiveLoading.load(directory, config.genesisDigest(), config.blocksPerSegment(), config.durability());
        Optional<Block> last = lastBlock(state, files);
        long first = state.segments().isEmpty()
                ? 1
                : state.segments().getFirst().head().firstSequence();
        long scanned = 0;
        long torn = deleteLost(directory, config, state.lost());
        List<Long> damaged = new ArrayList<>();
        Optional<OpenSegment> open = Optional.empty();
        for (ArchiveLoading.Segment segment : state.segments()) {
            if (!segment.isClosed()) {
                scanned += segment.scan().entries().size();
                torn += segment.scan().tornBytes();
                damaged.addAll(IndexRebuild.damaged(segment.head(), segment.scan()));
                open = resume(segment, opener);
            }
        }
        return new ArchiveResumption(
                first,
                state.lastSequence(),
                last.map(Block::hash).orElse(config.genesisDigest()),
                last.map(Block::lastAdministrationBlock).orElse(0L),
                open,
                new ArchiveRecovery(scanned, torn, List.copyOf(damaged)));
    }

    private static void deleteUnfinished(Path directory) throws IOException {
        try (Stream<Path> names = Files.list(directory)) {
            for (Path file : names.filter(OpenSegment::isUnfinished).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Nothing can be appended to a block that cannot be read: a damaged one is named here. */
    private static Optional<Block> lastBlock(ArchiveLoading.State state, SegmentFiles files) {
        long sequence = state.lastSequence();
        return sequence == 0
                ? Optional.empty()
                : Optional.of(Block.wrap(files.block(sequence, state.entry(sequence, files))));
    }

    /**
     * Deletes files whose predecessor has lost its end; returns their bytes. The names of all others are on the disk
     * from now on.
     */
    private static long deleteLost(Path directory, ArchiveConfig config, List<Path> lost) throws IOException {
        long bytes = 0;
        for (Path file : lost.reversed()) {
            bytes += Files.size(file);
            Files.delete(file);
        }
        if (!lost.isEmpty() || config.durability().isDisk()) {
            PositionalIo.forceDirectory(directory);
        }
        return bytes;
    }

    /**
     * Closes a full segment that was not marked closed; the one that is not full is the last and becomes the open one.
     */
    private static Optional<OpenSegment> resume(ArchiveLoading.Segment segment, OpenSegment.ChannelOpener opener)
            throws IOException {
        FileChannel channel = opener.open(segment.file());
        OpenSegment resumed = OpenSegment.resume(segment.file(), channel, segment.head(), segment.scan());
        if (!resumed.isFull()) {
            return Optional.of(resumed);
        }
        try (resumed) {
            resumed.writeIndex();
            resumed.markClosed();
        }
        return Optional.empty();
    }
}
