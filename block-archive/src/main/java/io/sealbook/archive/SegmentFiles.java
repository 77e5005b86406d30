package io.sealbook.archive;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The segment files of a directory, for reading: names, and a bounded number of open channels. All reads are
 * positional, so any thread may read. The appender has a channel of its own, because a channel is closed when a thread
 * that reads from it is interrupted.
 */
final class SegmentFiles implements AutoCloseable {
    /** Files held open for reading at a time; the one not used for longest is closed for the next. */
    static final int OPEN_MAX = 64;

    private static final Pattern NAME = Pattern.compile("segment-(\\d{19})\\.blocks");

    private final Path directory;
    private final int blocksPerSegment;
    private final Map<Long, OpenFile> openFiles = new LinkedHashMap<>(OPEN_MAX, 0.75f, true);
    private boolean isClosed;

    private record OpenFile(Path file, FileChannel channel, SegmentHead head) {}

    private interface ReadAction<T> {
        T read(OpenFile file) throws IOException;
    }

    SegmentFiles(Path directory, int blocksPerSegment) {
        this.directory = directory;
        this.blocksPerSegment = blocksPerSegment;
    }

    static Path path(Path directory, long firstSequence) {
        return directory.resolve(String.format(Locale.ROOT, "segment-%019d.blocks", firstSequence));
    }

    /** Returns the first sequences of the segment files of a directory, ascending. */
    static List<Long> list(Path directory) throws IOException {
        List<Long> firsts = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Matcher name = NAME.matcher(file.getFileName().toString());
                if (name.matches()) {
                    firsts.add(Long.parseLong(name.group(1)));
                }
            }
        }
        firsts.sort(null);
        return firsts;
    }

    /** Reads the fixed part of a segment's head, or the fewer bytes that the file has. */
    static byte[] headBytes(FileChannel channel, Path file) throws IOException {
        return PositionalIo.read(channel, file, 0, (int) Math.min(SegmentHead.LENGTH, channel.size()));
    }

    long firstOf(long sequence) {
        return sequence - (sequence - 1) % blocksPerSegment;
    }

    /** Reads one entry of a closed segment's index. */
    SegmentEntry entry(long sequence) {
        return onFile(sequence, open -> {
            long offset = open.head.entryOffset(sequence);
            byte[] bytes = PositionalIo.read(open.channel, open.file, offset, SegmentEntry.LENGTH);
            int crc = SegmentEntry.entryCrc(bytes, sequence);
            if (crc != SegmentEntry.storedCrc(bytes)) {
                throw new BlockDamagedException(
                        "index entry", sequence, open.file, offset, SegmentEntry.storedCrc(bytes), crc);
            }
            return SegmentEntry.decode(bytes);
        });
    }

    /**
     * Reads a block by one positional read.
     *
     * @throws BlockDamagedException if the bytes are not those that were appended
     */
    byte[] block(long sequence, SegmentEntry entry) {
        return onFile(sequence, open -> {
            long available = Math.clamp(open.channel.size() - entry.offset(), 0, entry.length());
            byte[] block = PositionalIo.read(open.channel, open.file, entry.offset(), (int) available);
            int crc = Crc32c.of(block);
            if (entry.isDamaged() || crc != entry.crc() || block.length != entry.length()) {
                throw new BlockDamagedException("block", sequence, open.file, entry.offset(), entry.crc(), crc);
            }
            return block;
        });
    }

    /** Reads a block's header alone; without a check of its bytes, so it is for those who compare its hash. */
    BlockHeader header(long sequence, SegmentEntry entry) {
        return onFile(
                sequence,
                open -> BlockHeader.decode(
                        PositionalIo.read(open.channel, open.file, entry.offset(), BlockHeader.LENGTH), 0));
    }

    /** Checks that the record header in front of a block speaks of this block. */
    void checkRecordHeader(long sequence, SegmentEntry entry) {
        onFile(sequence, open -> {
            long offset = entry.offset() - SegmentRecord.HEADER_LENGTH;
            byte[] found = PositionalIo.read(open.channel, open.file, offset, SegmentRecord.HEADER_LENGTH);
            byte[] expected = new byte[SegmentRecord.HEADER_LENGTH];
            new SegmentRecord(sequence, entry.length(), entry.crc()).encode(expected, open.head.mark());
            if (!Arrays.equals(expected, found)) {
                throw new BlockDamagedException(
                        "record header", sequence, open.file, offset, Crc32c.of(expected), Crc32c.of(found));
            }
            return null;
        });
    }

    private <T> T onFile(long sequence, ReadAction<T> action) {
        long first = firstOf(sequence);
        while (true) {
            OpenFile open = null;
            try {
                open = open(first);
                return action.read(open);
            } catch (ClosedByInterruptException e) {
                forget(first, open);
                throw new ArchiveException("interrupted while reading block " + sequence, e);
            } catch (ClosedChannelException e) {
                // Evicted, or another reader was interrupted: open it again.
                forget(first, open);
            } catch (IOException e) {
                throw new ArchiveException("cannot read block " + sequence + " from " + path(directory, first), e);
            }
        }
    }

    private synchronized OpenFile open(long first) throws IOException {
        if (isClosed) {
            throw new IllegalStateException("archive is closed: " + directory);
        }
        OpenFile open = openFiles.get(first);
        if (open != null) {
            return open;
        }
        Path file = path(directory, first);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            open = new OpenFile(file, channel, SegmentHead.decode(headBytes(channel, file), file));
        } finally {
            if (open == null) {
                channel.close();
            }
        }
        openFiles.put(first, open);
        if (openFiles.size() > OPEN_MAX) {
            var eldest = openFiles.entrySet().iterator();
            FileChannel evicted = eldest.next().getValue().channel;
            eldest.remove();
            evicted.close();
        }
        return open;
    }

    private synchronized void forget(long first, OpenFile open) {
        if (open != null) {
            openFiles.remove(first, open);
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        for (OpenFile open : openFiles.values()) {
            try {
                open.channel.close();
            } catch (IOException e) {
                throw new ArchiveException("cannot close " + open.file, e);
            }
        }
        openFiles.clear();
    }
}
