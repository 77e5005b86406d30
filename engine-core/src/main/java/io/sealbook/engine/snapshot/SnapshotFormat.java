package io.sealbook.engine.snapshot;

import io.sealbook.vocabulary.Digest;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * The bytes of a snapshot's file. {@link UnfinishedSnapshot} writes them; both write and read them as a stream, so that
 * neither needs memory for the core's part.
 *
 * <pre>
 *   offset      length  meaning (little-endian)
 *   0           8       "SBENGSN4"
 *   8           32      genesis digest
 *   40          8       block sequence
 *   48          32      block hash
 *   80          32      result digest
 *   112         8       queue index
 *   120         4       t: number of totals, then 8 t bytes
 *   124+8t      4       b: number of brokers, then 12 b bytes: id u32, last report sequence u64
 *   128+8t+12b  4       m: length of the terms of the chain, then m bytes
 *   132+8t+12b+m  4     i: number of instruments, then 20 i bytes: id u32, block of the last change u64, its time i64
 *   136+8t+12b+m+20i  c  the core's snapshot
 *   end - 12    8       c
 *   end - 4     4       CRC-32C of everything before
 * </pre>
 *
 * Files that begin with "SBENGSN3" are read, too: they have nothing of instruments, and the core's snapshot in its
 * place.
 */
final class SnapshotFormat {
    static final int BUFFER_BYTES = 1 << 16;

    private static final String MAGIC_TEXT = "SBENGSN4";
    private static final long MAGIC = 0x344e_5347_4e45_4253L;
    private static final long MAGIC_WITHOUT_CHANGES = 0x334e_5347_4e45_4253L; // "SBENGSN3"
    private static final int FIXED_LENGTH = 124;
    private static final int BROKER_LENGTH = Integer.BYTES + Long.BYTES;
    private static final int CHANGE_LENGTH = Integer.BYTES + 2 * Long.BYTES;
    private static final int TRAILER_LENGTH = Long.BYTES + Integer.BYTES;
    private static final int TOTALS_MAX = 1024;

    private SnapshotFormat() {}

    /**
     * Reads a file through, checks it and returns where its core's part lies.
     *
     * @throws IOException if the file cannot be read or ends early
     * @throws IllegalArgumentException if it is no whole snapshot of this genesis; the message names the fact
     */
    static StoredSnapshot read(Path file, Digest genesisDigest) throws IOException {
        long length = Files.size(file);
        try (CheckedInputStream in = new CheckedInputStream(
                new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), new CRC32C())) {
            ByteBuffer fixed = take(in, FIXED_LENGTH);
            long magic = fixed.getLong();
            require(magic == MAGIC || magic == MAGIC_WITHOUT_CHANGES, "it does not start with " + MAGIC_TEXT);
            require(Digest.read(fixed).equals(genesisDigest), "it is of another genesis");
            long sequence = fixed.getLong();
            Digest blockHash = Digest.read(fixed);
            Digest resultDigest = Digest.read(fixed);
            long queueIndex = fixed.getLong();
            long[] totals = totals(in, fixed.getInt());
            TreeMap<Integer, Long> reportSequences = reportSequences(in, length);
            byte[] terms = terms(in, length);
            Optional<List<BookChange>> changes =
                    magic == MAGIC ? Optional.of(bookChanges(in, length)) : Optional.empty();
            long coreOffset = FIXED_LENGTH
                    + (long) totals.length * Long.BYTES
                    + Integer.BYTES
                    + (long) reportSequences.size() * BROKER_LENGTH
                    + Integer.BYTES
                    + terms.length
                    + changes.map(each -> Integer.BYTES + (long) each.size() * CHANGE_LENGTH)
                            .orElse(0L);
            long coreLength = length - coreOffset - TRAILER_LENGTH;
            require(coreLength >= 0, "it has " + length + " bytes");
            skip(in, coreLength);
            long storedLength = take(in, Long.BYTES).getLong();
            int crc = (int) in.getChecksum().getValue();
            int storedCrc = take(in, Integer.BYTES).getInt();
            require(crc == storedCrc, String.format(Locale.ROOT, "CRC-32C is %08x, expected %08x", crc, storedCrc));
            require(storedLength == coreLength, "its core has " + coreLength + " bytes, expected " + storedLength);
            SnapshotHeader header = new SnapshotHeader(
                    sequence,
                    blockHash,
                    resultDigest,
                    queueIndex,
                    totals,
                    reportSequences,
                    terms,
                    changes.orElse(List.of()));
            return new StoredSnapshot(header, file, coreOffset);
        }
    }

    /** Returns the bytes before the core's. */
    static byte[] encode(Digest genesisDigest, SnapshotHeader header) {
        long[] totals = header.totals();
        require(totals.length <= TOTALS_MAX, totals.length + " totals, at most " + TOTALS_MAX);
        int length = FIXED_LENGTH
                + totals.length * Long.BYTES
                + Integer.BYTES
                + header.reportSequences().size() * BROKER_LENGTH
                + Integer.BYTES
                + header.terms().length
                + Integer.BYTES
                + header.bookChanges().size() * CHANGE_LENGTH;
        ByteBuffer bytes = littleEndian(length);
        bytes.putLong(MAGIC);
        genesisDigest.write(bytes);
        bytes.putLong(header.sequence());
        header.blockHash().write(bytes);
        header.resultDigest().write(bytes);
        bytes.putLong(header.queueIndex()).putInt(totals.length);
        for (long total : totals) {
            bytes.putLong(total);
        }
        bytes.putInt(header.reportSequences().size());
        for (Map.Entry<Integer, Long> broker : header.reportSequences().entrySet()) {
            bytes.putInt(broker.getKey()).putLong(broker.getValue());
        }
        bytes.putInt(header.terms().length).put(header.terms());
        bytes.putInt(header.bookChanges().size());
        for (BookChange change : header.bookChanges()) {
            bytes.putInt(change.instrumentId()).putLong(change.blockSequence()).putLong(change.timeNs());
        }
        return bytes.array();
    }

    private static long[] totals(InputStream in, int count) throws IOException {
        require(0 <= count && count <= TOTALS_MAX, count + " totals");
        long[] totals = new long[count];
        take(in, count * Long.BYTES).asLongBuffer().get(totals);
        return totals;
    }

    private static TreeMap<Integer, Long> reportSequences(InputStream in, long fileLength) throws IOException {
        int count = take(in, Integer.BYTES).getInt();
        require(0 <= count && count <= fileLength / BROKER_LENGTH, count + " brokers");
        TreeMap<Integer, Long> sequences = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            ByteBuffer broker = take(in, BROKER_LENGTH);
            int brokerId = broker.getInt();
            require(sequences.put(brokerId, broker.getLong()) == null, "broker " + brokerId + " occurs twice");
        }
        return sequences;
    }

    private static byte[] terms(InputStream in, long fileLength) throws IOException {
        int length = take(in, Integer.BYTES).getInt();
        require(0 <= length && length <= fileLength, "terms of " + length + " bytes");
        return take(in, length).array();
    }

    private static List<BookChange> bookChanges(InputStream in, long fileLength) throws IOException {
        int count = take(in, Integer.BYTES).getInt();
        require(0 <= count && count <= fileLength / CHANGE_LENGTH, count + " instruments");
        List<BookChange> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ByteBuffer change = take(in, CHANGE_LENGTH);
            changes.add(new BookChange(change.getInt(), change.getLong(), change.getLong()));
        }
        return changes;
    }

    private static ByteBuffer take(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        require(bytes.length == length, "it ends early");
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void skip(InputStream in, long length) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (long left = length; left > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            require(read > 0, "it ends early");
            left -= read;
        }
    }

    static ByteBuffer littleEndian(int length) {
        return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
