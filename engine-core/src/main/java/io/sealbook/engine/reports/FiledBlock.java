package io.sealbook.engine.reports;

import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The last block whose reports are all in the files of their brokers, for readers in other processes: an engine writes
 * the files one after another, and a block without reports is in none. It is the file {@code filed} beside the brokers'
 * folders, written after the reports of a block, and before reports are cut off. It is not forced to disk: after a loss
 * of power it may name another block than the files reach, until an engine starts. So may it in a copy of a running
 * engine's files in which it was not copied first.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       "SBFILED1"
 *   8       8       block
 *   16      4       CRC-32C of bytes 0 to 15
 * </pre>
 *
 * One thread writes; {@link #in} and {@link #named} may be called by any thread of any process.
 */
public final class FiledBlock implements AutoCloseable {
    private static final String NAME = "filed";
    private static final long MAGIC = 0x3144_454C_4946_4253L; // "SBFILED1"
    private static final int CRC_OFFSET = 16;
    private static final int LENGTH = CRC_OFFSET + Integer.BYTES;
    /** A reader may come in the middle of a write, but not in the middle of each. */
    private static final int READS_MAX = 100;

    private final Path path;
    private final FileChannel file;

    private FiledBlock(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /**
     * Opens the file for writing; it stays as it is until the first {@link #write}.
     *
     * @param directory of all brokers' files; is made if it does not exist
     */
    static FiledBlock open(Path directory) {
        Path path = directory.resolve(NAME);
        try {
            Files.createDirectories(directory);
            return new FiledBlock(path, FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot write " + path, e);
        }
    }

    void write(long block) {
        ByteBuffer bytes = encoded(block);
        try {
            while (bytes.hasRemaining()) {
                file.write(bytes, bytes.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot write " + path, e);
        }
    }

    /**
     * Returns the block beside an engine that writes, or after one has stopped. If the file is absent, as an earlier
     * build leaves it, it is the highest block of any report: reads the first report of each file then.
     *
     * @param directory of all brokers' files
     * @return empty if there is neither the file nor a report
     * @throws OperatingFailureException if the file is damaged, or has to be derived from files that are
     * @throws UncheckedIOException if it cannot be read
     */
    public static OptionalLong in(Path directory) {
        OptionalLong named = named(directory);
        try {
            return named.isPresent() ? named : highest(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot read " + directory, e);
        }
    }

    /**
     * Returns the block that the file names; reads no report.
     *
     * @param directory of all brokers' files
     * @return empty if there is no file, or no block has been written to it
     * @throws OperatingFailureException if the file is damaged
     * @throws UncheckedIOException if it cannot be read
     */
    public static OptionalLong named(Path directory) {
        Path path = directory.resolve(NAME);
        try {
            if (!Files.exists(path) || Files.size(path) == 0) {
                return OptionalLong.empty();
            }
            byte[] bytes = {};
            for (int i = 0; i < READS_MAX; i++) {
                bytes = Files.readAllBytes(path);
                if (bytes.length == LENGTH) {
                    long block = ByteBuffer.wrap(bytes)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong(Long.BYTES);
                    if (encoded(block).equals(ByteBuffer.wrap(bytes))) {
                        return OptionalLong.of(block);
                    }
                }
            }
            throw new OperatingFailureException("reports: " + path + " names no block: its " + bytes.length
                    + " bytes are damaged; an engine writes it again at its next start");
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot read " + path, e);
        }
    }

    private static OptionalLong highest(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return OptionalLong.empty();
        }
        List<Path> stores;
        try (Stream<Path> found = Files.list(directory)) {
            stores = found.toList();
        }
        OptionalLong highest = OptionalLong.empty();
        for (Path store : stores) {
            try (ReportScan scan = ReportScan.open(store, Long.MAX_VALUE)) {
                while (scan.next()) {
                    highest = OptionalLong.of(
                            Math.max(highest.orElse(0), scan.report().blockSequence()));
                }
            }
        }
        return highest;
    }

    private static ByteBuffer encoded(long block) {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(MAGIC)
                .putLong(block);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), 0, CRC_OFFSET);
        return bytes.putInt((int) crc.getValue()).flip();
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("reports: cannot close " + path, e);
        }
    }
}
