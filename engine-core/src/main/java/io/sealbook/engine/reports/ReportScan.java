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
 * after one has stopped. A torn end, which the engine cuts at its next start, ends the scan. One thread at a time.
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
    private long fileOffset;
    private long nextReport;
    private int windowLength;
    /** Of the next chunk. */
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
     * @throws OperatingFailureException if a chunk before the end is damaged
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
        nextReport = ReportSegment.firstSequenceOf(path);
        file = FileChannel.open(path, StandardOpenOption.READ);
        nextFile++;
        fileOffset = 0;
        windowLength = 0;
        at = 0;
        fill();
        at = Math.min(windowLength, ReportSegment.HEADER_LENGTH);
        if (at == ReportSegment.HEADER_LENGTH && !ReportSegment.isHeader(ByteBuffer.wrap(window, 0, at))) {
            throw new OperatingFailureException("reports: " + path + " does not hold reports");
        }
    }

    private boolean isChunkNext() throws IOException {
        if (!isInWindow()) {
            fill();
        }
        if (!isInWindow()) {
            if (windowLength > at && nextFile < files.size()) {
                throw new OperatingFailureException("reports: " + files.get(nextFile - 1) + ": the chunk of report "
                        + nextReport + " is damaged, at " + (fileOffset - windowLength + at));
            }
            return false;
        }
        return true;
    }

    /** Returns whether a whole chunk begins at {@code at}. */
    private boolean isInWindow() {
        return windowLength - at >= ReportChunk.HEAD_LENGTH
                && ReportChunk.isHeadOf(nextReport, window, at)
                && windowLength - at >= ReportChunk.length(window, at)
                && ReportChunk.isWhole(window, at);
    }

    private void fill() throws IOException {
        int kept = windowLength - at;
        System.arraycopy(window, at, window, 0, kept);
        ByteBuffer room = ByteBuffer.wrap(window, kept, WINDOW_LENGTH - kept);
        while (room.hasRemaining()) {
            int length = file.read(room, fileOffset);
            if (length < 0) {
                break;
            }
            fileOffset += length;
        }
        windowLength = room.position();
        at = 0;
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
