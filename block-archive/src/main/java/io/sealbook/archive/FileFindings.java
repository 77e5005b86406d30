package io.sealbook.archive;

import io.sealbook.archive.ArchiveFinding.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What the files of an archive show about a crash or damage before any closed block is read. Changes nothing. */
final class FileFindings {
    private final List<ArchiveFinding> findings = new ArrayList<>();

    private FileFindings() {}

    /**
     * Looks at the files of an archive.
     *
     * @param directory of the archive
     * @param state what was loaded from it
     */
    static List<ArchiveFinding> of(Path directory, ArchiveLoading.State state) throws IOException {
        FileFindings found = new FileFindings();
        found.addUnfinishedFiles(directory);
        for (ArchiveLoading.Segment segment : state.segments()) {
            if (!segment.isClosed()) {
                found.addTail(segment);
                found.addMissingBlocks(segment);
            }
        }
        for (Path file : state.lost()) {
            found.add(
                    Kind.LOST_FILE,
                    file + ": not read, because the segment before it ends with block " + state.lastSequence());
        }
        return List.copyOf(found.findings);
    }

    private void addUnfinishedFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(OpenSegment::isUnfinished)
                    .sorted()
                    .forEach(file -> add(Kind.UNFINISHED_FILE, file + ": the next segment, created ahead"));
        }
    }

    private void addTail(ArchiveLoading.Segment segment) {
        SegmentScan.Result scan = segment.scan();
        if (scan.tornBytes() == 0) {
            return;
        }
        String place = segment.file() + ": " + scan.tornBytes() + " bytes after the last whole block, from offset "
                + scan.end();
        if (scan.isTailOfKilledWrite()) {
            add(Kind.TORN_TAIL, place + ": the start of block " + nextOf(segment));
        } else {
            add(Kind.DAMAGED_TAIL, place + ": not what a killed process leaves of block " + nextOf(segment));
        }
    }

    /** Entries are written into an open segment's index for blocks that were in the file. */
    private void addMissingBlocks(ArchiveLoading.Segment segment) throws IOException {
        try (FileChannel channel = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
            for (long s = nextOf(segment); s <= segment.head().lastSequenceMax(); s++) {
                byte[] entry = PositionalIo.read(
                        channel, segment.file(), segment.head().entryOffset(s), SegmentEntry.LENGTH);
                if (SegmentEntry.storedCrc(entry) == SegmentEntry.entryCrc(entry, s)) {
                    add(
                            Kind.MISSING_BLOCK,
                            "block " + s + ": the index of " + segment.file() + " has it at offset "
                                    + SegmentEntry.decode(entry).offset() + ", and no whole block is there");
                }
            }
        }
    }

    /** Returns the sequence of the block that would come after the last whole one. */
    private static long nextOf(ArchiveLoading.Segment segment) {
        return segment.head().firstSequence() + segment.scan().entries().size();
    }

    private void add(Kind kind, String fact) {
        findings.add(new ArchiveFinding(kind, fact));
    }
}
