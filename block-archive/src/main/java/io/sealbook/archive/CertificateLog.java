package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The certificates of an archive, in an append-only file of its own, ascending by sequence. Their places are in memory
 * (16 bytes each); a torn last record is cut when the log is opened for writing. Of records that are out of order,
 * which a disk leaves that has written one in a wrong place, the writer keeps the longest ascending run.
 *
 * <pre>
 *   offset  length  meaning (little-endian)
 *   0       8       magic "SBCERTS1"
 *   8       4       version, 2
 *   12      4       CRC32C of bytes 16..47
 *   16      32      genesis digest
 *   48      ...     records: length (4), CRC32C of length and certificate (4), certificate
 * </pre>
 *
 * All methods may be called from any thread.
 */
final class CertificateLog implements AutoCloseable {
    static final String FILE_NAME = "certificates.log";

    private static final byte[] MAGIC = "SBCERTS1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 2;
    private static final int HEAD_LENGTH = 48;
    private static final int RECORD_HEADER_LENGTH = 8;

    private final Path file;
    private final Durability durability;
    private FileChannel channel;
    /** What is damaged, or out of order. A reader refuses such a log; its writer goes on, and fills them. */
    private final CertificateGaps gaps = new CertificateGaps();

    private boolean goesOnAfterDamage;
    private volatile Runnable gapFound = () -> {};
    private DirectorySync directorySync = PositionalIo::forceDirectory;

    private long[] sequences = new long[64];
    private long[] offsets = new long[64];
    private int count;
    private long end = HEAD_LENGTH;
    /** Length of the file when it was read, and the end of the whole records then: its writer may go on. */
    private long readLength;

    private long readEnd;
    private IOException failure;

    /** Makes the names in a directory durable. */
    interface DirectorySync {
        void force(Path directory) throws IOException;
    }

    private CertificateLog(Path file, FileChannel channel, Durability durability) {
        this.file = file;
        this.channel = channel;
        this.durability = durability;
    }

    /** Opens the log of an archive for writing; creates it if there is none. */
    static CertificateLog open(Path directory, Digest genesisDigest, Durability durability) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        if (!Files.exists(file)) {
            write(directory, genesisDigest, List.of());
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            CertificateLog log = new CertificateLog(file, channel, durability);
            log.goesOnAfterDamage = true;
            log.load(genesisDigest);
            if (channel.size() > log.end) {
                channel.truncate(log.end);
            }
            return log;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Opens the log of an archive for reading; empty if there is none, as for an archive without certificates. */
    static Optional<CertificateLog> openReadOnly(Path directory, Digest genesisDigest) throws IOException {
        return openReadOnly(directory, genesisDigest, Optional.empty());
    }

    /**
     * Opens the log of an archive for reading, and reads only what was appended since an earlier look at it.
     *
     * @param directory of the archive
     * @param genesisDigest expected in the log's head
     * @param earlier log of the same directory, may be closed; if the file does not continue it, all is read
     */
    static Optional<CertificateLog> openReadOnly(Path directory, Digest genesisDigest, Optional<CertificateLog> earlier)
            throws IOException {
        Path file = directory.resolve(FILE_NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            CertificateLog log = new CertificateLog(file, channel, Durability.PROCESS);
            if (earlier.isPresent()) {
                log.takeOver(earlier.get());
            }
            log.load(genesisDigest);
            return Optional.of(log);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Returns the whole records of a log that may be damaged anywhere, in the order of the file.
     *
     * @param directory of the archive, which has a log
     * @param genesisDigest of the archive
     * @throws ArchiveFormatException if the head is whole and names another chain
     */
    static List<CheckpointCertificate> wholeRecords(Path directory, Digest genesisDigest) throws IOException {
        Path file = directory.resolve(FILE_NAME);
        List<CheckpointCertificate> found = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            CertificateLog log = new CertificateLog(file, channel, Durability.PROCESS);
            long length = channel.size();
            log.checkChain(genesisDigest, length);
            for (long at = HEAD_LENGTH; length - at >= RECORD_HEADER_LENGTH; ) {
                byte[] payload = log.payloadOrNull(at, length);
                if (payload == null) {
                    at++;
                } else {
                    found.add(CheckpointCertificate.decode(payload));
                    at += RECORD_HEADER_LENGTH + payload.length;
                }
            }
        }
        return found;
    }

    private void checkChain(Digest genesisDigest, long length) throws IOException {
        if (length < HEAD_LENGTH) {
            return;
        }
        byte[] head = PositionalIo.read(channel, file, 0, HEAD_LENGTH);
        Digest found = Digest.of(head, 16);
        boolean isWhole = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt(12) == Crc32c.of(found.bytes());
        if (isWhole && !found.equals(genesisDigest)) {
            throw new ArchiveFormatException(file + ": belongs to genesis digest " + found.hex() + ", the archive to "
                    + genesisDigest.hex() + "; move the file away and repair the archive again");
        }
    }

    /**
     * Writes the log of an archive, whose directory may be a file system of its own, in place of one that is not open.
     * A crash leaves the old log or the new one.
     *
     * @param certificates ascending
     */
    static void write(Path directory, Digest genesisDigest, Collection<CheckpointCertificate> certificates)
            throws IOException {
        Path file = directory.resolve(FILE_NAME);
        giveName(writeUnfinished(file, genesisDigest, certificates), file);
        PositionalIo.forceDirectory(directory);
    }

    /** As {@link #write}, in place of a damaged log, which is kept. If the new one cannot be written, nothing is. */
    static void replace(
            Path directory, Digest genesisDigest, Collection<CheckpointCertificate> certificates, Quarantine quarantine)
            throws IOException {
        Path file = directory.resolve(FILE_NAME);
        keepAndReplace(writeUnfinished(file, genesisDigest, certificates), file, quarantine);
        PositionalIo.forceDirectory(directory);
    }

    private static Path writeUnfinished(Path file, Digest genesisDigest, Collection<CheckpointCertificate> certificates)
            throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEAD_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        head.put(MAGIC).putInt(VERSION).putInt(Crc32c.of(genesisDigest.bytes()));
        genesisDigest.write(head);
        Path unfinished = OpenSegment.unfinished(file);
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            PositionalIo.write(channel, head.flip(), 0);
            certificates.forEach(new CertificateLog(unfinished, channel, Durability.PROCESS)::put);
            channel.force(true);
        }
        return unfinished;
    }

    private static void keepAndReplace(Path written, Path file, Quarantine quarantine) throws IOException {
        Optional<Path> kept = Optional.empty();
        try {
            kept = quarantine.keepFile(file, "certificates", "log");
            giveName(written, file);
        } catch (IOException e) {
            // What a node appends next would go to both names.
            if (kept.isPresent()) {
                Files.deleteIfExists(kept.get());
            }
            Files.deleteIfExists(written);
            throw e;
        }
    }

    private static void giveName(Path written, Path file) throws IOException {
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void takeOver(CertificateLog earlier) throws IOException {
        synchronized (earlier) {
            if (earlier.count == 0 || earlier.end > channel.size()) {
                return;
            }
            int last = earlier.count - 1;
            byte[] payload = payloadOrNull(earlier.offsets[last], earlier.end);
            if (payload != null && CheckpointCertificate.decode(payload).sequence() == earlier.sequences[last]) {
                sequences = Arrays.copyOf(earlier.sequences, earlier.sequences.length);
                offsets = Arrays.copyOf(earlier.offsets, earlier.offsets.length);
                count = earlier.count;
                end = earlier.end;
            }
        }
    }

    /** Shows no certificate after a block: a node may go on writing while its archive is read. */
    synchronized void hideAfter(long sequence) {
        while (count > 0 && sequences[count - 1] > sequence) {
            count--;
            end = offsets[count];
        }
    }

    private void load(Digest genesisDigest) throws IOException {
        readLength = channel.size();
        load(genesisDigest, readLength);
        readEnd = end;
    }

    private void load(Digest genesisDigest, long length) throws IOException {
        byte[] head = PositionalIo.read(channel, file, 0, (int) Math.min(HEAD_LENGTH, length));
        checkHead(head, genesisDigest);
        // What a reader has taken over stays: it finds nothing out of order, and a writer has taken over nothing.
        WholeRecords whole = new WholeRecords();
        long last = count == 0 ? 0 : sequences[count - 1];
        long at = end;
        while (length - at >= RECORD_HEADER_LENGTH) {
            byte[] payload = payloadOrNull(at, length);
            if (payload == null) {
                long next = nextWholeRecord(at, length);
                if (next < 0) {
                    break;
                }
                if (!goesOnAfterDamage) {
                    throw damaged("record at offset " + at + " is damaged");
                }
                at = next;
                continue;
            }
            long sequence = CheckpointCertificate.decode(payload).sequence();
            if (!goesOnAfterDamage && sequence <= last) {
                throw damaged("certificate " + sequence + " at offset " + at + " comes after certificate " + last);
            }
            last = sequence;
            whole.add(sequence, at, at + RECORD_HEADER_LENGTH + payload.length);
            at += RECORD_HEADER_LENGTH + payload.length;
        }
        keep(whole);
    }

    /**
     * Keeps the longest ascending run, and notes as gaps where it leaves something out. A record in a wrong place has
     * taken the place of an older one, because places are written in ascending order: it may be the kept one before
     * what was left out, so that a gap begins at the kept one before that. What comes after the last kept one is cut;
     * if a whole record is among it, the gap is known until this log is closed.
     */
    private void keep(WholeRecords whole) {
        int[] kept = whole.longestAscendingRun();
        for (int record : kept) {
            if (whole.offset(record) != end) {
                gaps.add(new CertificateGap(count < 2 ? 0 : sequences[count - 2], whole.sequence(record)));
            }
            remember(whole.sequence(record), whole.offset(record));
            end = whole.end(record);
        }
        if (kept.length > 0 && kept[kept.length - 1] < whole.count() - 1) {
            gaps.add(new CertificateGap(count < 2 ? 0 : sequences[count - 2], sequences[count - 1]));
        }
    }

    private void checkHead(byte[] head, Digest genesisDigest) {
        if (head.length < HEAD_LENGTH || !Arrays.equals(Arrays.copyOf(head, MAGIC.length), MAGIC)) {
            throw damaged("magic is not SBCERTS1");
        }
        ByteBuffer buffer = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        if (buffer.getInt(8) != VERSION) {
            throw new ArchiveFormatException(file + ": version " + buffer.getInt(8) + ", expected " + VERSION);
        }
        Digest found = Digest.of(head, 16);
        if (buffer.getInt(12) != Crc32c.of(found.bytes()) || !found.equals(genesisDigest)) {
            throw damaged("belongs to another genesis file, or its head is damaged");
        }
    }

    private ArchiveFormatException damaged(String fact) {
        return new ArchiveFormatException(file + ": " + fact + "; repair it with block-archive.jar repair "
                + file.getParent() + " --from COPY --genesis FILE, where COPY is the archive of another node");
    }

    /** Returns where a whole record begins behind a damaged one, which is no torn tail then; -1 if there is none. */
    private long nextWholeRecord(long damagedAt, long fileLength) throws IOException {
        for (long at = damagedAt + 1; fileLength - at >= RECORD_HEADER_LENGTH; at++) {
            if (payloadOrNull(at, fileLength) != null) {
                return at;
            }
        }
        return -1;
    }

    /** Returns what was after the last whole record when the log was read; empty if nothing was. */
    synchronized Optional<ArchiveFinding> tail() throws IOException {
        long torn = readLength - readEnd;
        if (torn <= 0) {
            return Optional.empty();
        }
        String fact = file + ": " + torn + " bytes after the last whole certificate, from offset " + readEnd;
        return Optional.of(
                isStartOfRecord(torn)
                        ? new ArchiveFinding(ArchiveFinding.Kind.TORN_CERTIFICATE, fact + ": the start of one")
                        : new ArchiveFinding(
                                ArchiveFinding.Kind.DAMAGED_CERTIFICATE,
                                fact + ": not what a killed process leaves of one"));
    }

    private boolean isStartOfRecord(long available) throws IOException {
        if (available < RECORD_HEADER_LENGTH) {
            return true;
        }
        int length = ByteBuffer.wrap(PositionalIo.read(channel, file, readEnd, Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        return length >= 1 && length <= CheckpointCertificate.LENGTH_MAX && length > available - RECORD_HEADER_LENGTH;
    }

    /** Returns the certificate of a record; null if the record is damaged, or what it holds is no certificate. */
    private byte[] payloadOrNull(long at, long fileLength) throws IOException {
        ByteBuffer header = ByteBuffer.wrap(PositionalIo.read(channel, file, at, RECORD_HEADER_LENGTH))
                .order(ByteOrder.LITTLE_ENDIAN);
        int length = header.getInt(0);
        if (length < 1
                || length > CheckpointCertificate.LENGTH_MAX
                || length > fileLength - at - RECORD_HEADER_LENGTH) {
            return null;
        }
        byte[] payload = PositionalIo.read(channel, file, at + RECORD_HEADER_LENGTH, length);
        return header.getInt(4) == recordCrc(payload) && isCertificate(payload) ? payload : null;
    }

    private static boolean isCertificate(byte[] payload) {
        try {
            CheckpointCertificate.decode(payload);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static int recordCrc(byte[] payload) {
        byte[] covered = ByteBuffer.allocate(Integer.BYTES + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(payload.length)
                .put(payload)
                .array();
        return Crc32c.of(covered);
    }

    /** Appends a certificate; one that is not newer than the latest is here already and has no effect. */
    synchronized void put(CheckpointCertificate certificate) {
        if (count > 0 && certificate.sequence() <= sequences[count - 1]) {
            return;
        }
        if (failure != null) {
            throw new ArchiveException("cannot append to " + file + ", it failed before", failure);
        }
        byte[] payload = certificate.encode();
        ByteBuffer bytes = ByteBuffer.allocate(RECORD_HEADER_LENGTH + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(payload.length)
                .putInt(recordCrc(payload))
                .put(payload)
                .flip();
        try {
            PositionalIo.write(channel, bytes, end);
            if (durability.isDisk()) {
                channel.force(false);
            }
        } catch (IOException e) {
            rollBack(e);
            throw PositionalIo.failure("cannot append certificate " + certificate.sequence() + " to " + file, e);
        }
        remember(certificate.sequence(), end);
        end += RECORD_HEADER_LENGTH + payload.length;
    }

    private void rollBack(IOException cause) {
        try {
            channel.truncate(end);
        } catch (IOException e) {
            cause.addSuppressed(e);
            failure = cause;
        }
    }

    private void remember(long sequence, long offset) {
        if (count == sequences.length) {
            sequences = Arrays.copyOf(sequences, 2 * count);
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        sequences[count] = sequence;
        offsets[count] = offset;
        count++;
    }

    synchronized int count() {
        return count;
    }

    /** Returns the block of the latest certificate, 0 if there is none; the log may be closed. */
    synchronized long lastSequence() {
        return count == 0 ? 0 : sequences[count - 1];
    }

    synchronized Optional<CheckpointCertificate> latest() {
        return count == 0 ? Optional.empty() : Optional.of(read(count - 1));
    }

    synchronized Optional<CheckpointCertificate> atOrAfter(long sequence) {
        int found = Arrays.binarySearch(sequences, 0, count, sequence);
        int index = found >= 0 ? found : -found - 1;
        while (index < count - 1 && isBecomingGap(index)) {
            // The next one has its place now.
        }
        return index == count ? Optional.empty() : Optional.of(read(index));
    }

    synchronized Optional<CheckpointCertificate> before(long sequence) {
        int found = Arrays.binarySearch(sequences, 0, count, sequence);
        int index = (found >= 0 ? found : -found - 1) - 1;
        while (0 <= index && index < count - 1 && isBecomingGap(index)) {
            index--;
        }
        return index < 0 ? Optional.empty() : Optional.of(read(index));
    }

    /** Has a listener called for each gap that was not known, on any thread. */
    void onGap(Runnable listener) {
        gapFound = listener;
    }

    synchronized List<CertificateGap> gaps() {
        return gaps.all();
    }

    /** Reads every record but the last, of which a restart judges; returns how many they are. */
    int check() {
        int last = count() - 1;
        for (int i = last - 1; i >= 0; i--) {
            synchronized (this) {
                if (i < count - 1) {
                    isBecomingGap(i);
                }
            }
        }
        return Math.max(0, last);
    }

    /**
     * Returns whether a record before the last one is damaged or another one; the log goes on without it, and a gap is
     * there.
     */
    private boolean isBecomingGap(int index) {
        try {
            if (!goesOnAfterDamage || recordOrNull(index) != null) {
                return false;
            }
        } catch (IOException e) {
            throw new ArchiveException("cannot read certificate " + sequences[index] + " from " + file, e);
        }
        long after = index == 0 ? 0 : sequences[index - 1];
        long before = sequences[index + 1];
        System.arraycopy(sequences, index + 1, sequences, index, count - index - 1);
        System.arraycopy(offsets, index + 1, offsets, index, count - index - 1);
        count--;
        gaps.add(new CertificateGap(after, before));
        gapFound.run();
        return true;
    }

    /**
     * Closes a gap. With the last one, the log is written anew; until then the file keeps its damage, by which a
     * restart finds the gaps again. A crash leaves the old log or the new one. If the new one cannot be written, the
     * old one not be kept, or the name not be made durable, the gap is open as before, and what is appended goes to the
     * file that has the name.
     *
     * @param gap of this log
     * @param found its certificates, from elsewhere
     * @param quarantine keeps the log as it was
     */
    synchronized void fill(CertificateGap gap, List<CheckpointCertificate> found, Quarantine quarantine) {
        if (!gaps.close(gap, found)) {
            return;
        }
        try {
            rewrite(gaps.found(), quarantine);
            gaps.forgetFound();
        } catch (IOException e) {
            gaps.add(gap);
            throw PositionalIo.failure("cannot write " + file + " anew", e);
        } catch (RuntimeException e) {
            gaps.add(gap);
            throw e;
        }
    }

    /** Syncs the log's directory in another way from now on. */
    void syncDirectoryWith(DirectorySync sync) {
        directorySync = sync;
    }

    private void rewrite(SortedMap<Long, CheckpointCertificate> found, Quarantine quarantine) throws IOException {
        Path unfinished = OpenSegment.unfinished(file);
        Files.deleteIfExists(unfinished);
        FileChannel written = FileChannel.open(
                unfinished, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        CertificateLog anew = new CertificateLog(unfinished, written, Durability.PROCESS);
        try {
            PositionalIo.write(written, ByteBuffer.wrap(PositionalIo.read(channel, file, 0, HEAD_LENGTH)), 0);
            long after = 0;
            for (int i = 0; i < count; i++) {
                found.subMap(after, sequences[i]).values().forEach(anew::put);
                anew.put(read(i));
                after = sequences[i] + 1;
            }
            found.tailMap(after).values().forEach(anew::put);
            written.force(true);
            keepAndReplace(unfinished, file, quarantine);
        } catch (IOException | RuntimeException e) {
            written.close();
            throw e;
        }
        FileChannel old = channel;
        channel = written;
        sequences = anew.sequences;
        offsets = anew.offsets;
        count = anew.count;
        end = anew.end;
        old.close();
        directorySync.force(file.getParent());
    }

    private CheckpointCertificate read(int index) {
        try {
            CheckpointCertificate certificate = recordOrNull(index);
            if (certificate == null) {
                throw damaged("record at offset " + offsets[index] + " is damaged");
            }
            return certificate;
        } catch (IOException e) {
            throw new ArchiveException("cannot read certificate " + sequences[index] + " from " + file, e);
        }
    }

    /** Returns the record at a place; null if it is damaged, or the disk has written another one over it. */
    private CheckpointCertificate recordOrNull(int index) throws IOException {
        byte[] payload = payloadOrNull(offsets[index], end);
        CheckpointCertificate certificate = payload == null ? null : CheckpointCertificate.decode(payload);
        return certificate != null && certificate.sequence() == sequences[index] ? certificate : null;
    }

    @Override
    public synchronized void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new ArchiveException("cannot close " + file, e);
        }
    }
}
