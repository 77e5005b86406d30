package io.sealbook.engine.reports;

import io.sealbook.archive.result.ReportFields;
import io.sealbook.protocol.report.ReportMaker;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes the reports of one broker in order from its files, without changing them: beside an engine that writes, or
 * after one has stopped. A torn end, which the engine cuts at its next start, ends the scan. The end is torn if no
 * whole chunk follows it in the newest file; everything else is damage. One thread at a time.
 */
public final class ReportScan implements AutoCloseable {
    private static final int WINDOW_LENGTH = 256 << 10;

    private final List<Path> files;
    private final ReportMaker maker = new ReportMaker();
    private final byte[] window = new byte[WINDOW_LENGTH];
    private final byte[] record = new byte[ReportStore.RECORD_LENGTH];
    private final ExecutionReportDecoder report = new ExecutionReportDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final UnsafeBuffer recordBuffer = new UnsafeBuffer(record);
    private int nextFile;
    private FileChannel file;
    private long nextReport;
    /** Offset of the window in the file. */
    private long windowOffset;

    private int windowLength;
    /** Of the next chunk, in the window. */
    private int at;

    private boolean isWithinRun;

    private ReportScan(List<Path> files) {
        this.files = files;
    }

    /**
     * Opens the files of a broker. Reports that an engine appends later may or may not be read.
     *
     * @param directory of the broker's store; one that does not exist has no reports
     * @param fromBlock reports of earlier blocks are skipped file by file, so that some of them are still returned
     * @throws UncheckedIOException if the files cannot be read
     */
    public static ReportScan open(Path directory, long fromBlock) {
        return open(directory, fromBlock, Long.MAX_VALUE);
    }

    /**
     * Opens the newest files of a broker.
     *
     * @param directory of the broker's store; one that does not exist has no reports
     * @param fromBlock as above
     * @param bytesMax older files are skipped as long as the others have more bytes; the newest is read in any case
     * @throws UncheckedIOException if the files cannot be read
     */
    public static ReportScan open(Path directory, long fromBlock, long bytesMax) {
        if (!Files.isDirectory(directory)) {
            return new ReportScan(List.of());
        }
        try (Stream<Path> found = Files.list(directory)) {
            List<Path> files = new ArrayList<>(
                    found.filter(ReportSegment::isSegment).sorted().toList());
            skipOld(files, bytesMax);
            while (files.size() > 1 && firstBlock(files.get(1)) < fromBlock) {
                files.removeFirst();
            }
            return new ReportScan(files);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot read " + directory, e);
        }
    }

    private static void skipOld(List<Path> files, long bytesMax) throws IOException {
        if (bytesMax == Long.MAX_VALUE) {
            return;
        }
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        while (files.size() > 1 && bytes > bytesMax) {
            bytes -= Files.size(files.removeFirst());
        }
    }

    private static long firstBlock(Path file) {
        try (ReportScan scan = new ReportScan(List.of(file))) {
            return scan.next() ? scan.report().blockSequence() : Long.MAX_VALUE;
        }
    }

    /**
     * Moves to the next report.
     *
     * @return false if there is none
     * @throws OperatingFailureException if a chunk before the end is damaged, or a file between others is missing
     * @throws UncheckedIOException if a file cannot be read
     */
    public boolean next() {
        try {
            if (!isWithinRun && !nextChunk()) {
                return false;
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot read " + files.get(nextFile - 1), e);
        }
        maker.next();
        maker.get(record, 0);
        report.wrapAndApplyHeader(recordBuffer, 0, header);
        isWithinRun = maker.hasNext();
        return true;
    }

    /** Returns the report that {@link #next} moved to; valid until the next call. */
    public ExecutionReportDecoder report() {
        return report;
    }

    /** Returns a copy of the report that {@link #next} moved to. */
    public ReportFields fields() {
        return ReportFields.of(record);
    }

    /** Makes the next chunk the one in hand; false if no file has another. */
    private boolean nextChunk() throws IOException {
        while (file == null || !isChunkNext()) {
            if (nextFile == files.size()) {
                return false;
            }
            openNext();
        }
        maker.begin(window, at + ReportChunk.HEADER_LENGTH, ReportChunk.runLength(window, at));
        nextReport += ReportChunk.count(window, at);
        at += ReportChunk.length(window, at);
        return true;
    }

    private void openNext() throws IOException {
        close();
        Path path = files.get(nextFile);
        long first = ReportSegment.firstSequenceOf(path);
        if (nextFile > 0 && first != nextReport) {
            throw new OperatingFailureException("reports: " + path + " begins with report " + first + ", expected "
                    + nextReport + ": a file before it is missing or cut off");
        }
        nextReport = first;
        // Before the file is opened: next() names the one before this place.
        nextFile++;
        file = FileChannel.open(path, StandardOpenOption.READ);
        windowOffset = 0;
        at = 0;
        fill();
        at = Math.min(windowLength, ReportSegment.HEADER_LENGTH);
        if (at == ReportSegment.HEADER_LENGTH && !ReportSegment.isHeader(ByteBuffer.wrap(window, 0, at))) {
            throw new OperatingFailureException("reports: " + path + " does not hold reports");
        }
    }

    private boolean isChunkNext() throws IOException {
        if (windowOffset + at < ReportSegment.HEADER_LENGTH) {
            return false; // Torn, or an engine is about to write it.
        }
        if (isInWindow(nextReport)) {
            return true;
        }
        // All of it again: an engine may have completed what was half a chunk, or cut it off and written another one.
        fill();
        if (isInWindow(nextReport)) {
            return true;
        }
        long offset = windowOffset + at;
        if (windowLength > at && (nextFile < files.size() || isChunkLater())) {
            throw new OperatingFailureException("reports: " + files.get(nextFile - 1) + ": the chunk of report "
                    + nextReport + " is damaged, at " + offset);
        }
        return false;
    }

    /** Returns whether a whole chunk of a later report is after the next chunk; the place in the file stays. */
    private boolean isChunkLater() throws IOException {
        long offset = windowOffset + at;
        boolean isFound = false;
        while (!isFound && windowLength - at > ReportChunk.HEAD_LENGTH) {
            at++;
            if (windowLength == WINDOW_LENGTH && windowLength - at < ReportChunk.LENGTH_MAX) {
                fill();
            }
            long first = windowLength - at < ReportChunk.HEAD_LENGTH ? 0 : ReportChunk.first(window, at);
            isFound = first > nextReport && isInWindow(first);
        }
        windowOffset = offset;
        windowLength = 0;
        at = 0;
        return isFound;
    }

    /** Returns whether a whole chunk that begins with a report begins at {@code at}. */
    private boolean isInWindow(long first) {
        return windowLength - at >= ReportChunk.HEAD_LENGTH
                && ReportChunk.isHeadOf(first, window, at)
                && windowLength - at >= ReportChunk.length(window, at)
                && ReportChunk.isWhole(window, at);
    }

    /** Reads the file from {@code at} on. */
    private void fill() throws IOException {
        windowOffset += at;
        at = 0;
        ByteBuffer room = ByteBuffer.wrap(window);
        int length = 0;
        while (room.hasRemaining() && length >= 0) {
            length = file.read(room, windowOffset + room.position());
        }
        windowLength = room.position();
    }

    @Override
    public void close() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException("reports: cannot close " + files.get(nextFile - 1), e);
            }
        }
    }
}
