package io.sealbook.engine.snapshot;

import io.sealbook.engine.config.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the newest snapshots as files. A file is written beside, forced to disk where the durability class asks for it, then renamed,
 * so a name stands for a whole file; a damaged one is passed over for the one before it.
 *
 * <pre>
 *   offset      length  meaning (little-endian)
 *   0           8       "SBENGSN1"
 *   8           32      genesis digest
 *   40          8       block sequence
 *   48          32      block hash
 *   80          32      result digest
 *   112         8       queue index
 *   120         4       t: number of totals, then 8 t bytes
 *   124+8t      4       b: number of brokers, then 12 b bytes: id u32, last report sequence u64
 *   128+8t+12b  4       c: length of the core's snapshot, then c bytes
 *   end - 4     4       CRC-32C of everything before
 * </pre>
 */
public final class SnapshotStore {
    /** Snapshots kept. */
    public static final int KEPT = 2;

    private static final Logger LOG = LoggerFactory.getLogger(SnapshotStore.class);
    private static final long MAGIC = 0x314e_5347_4e45_4253L; // "SBENGSN1"
    private static final int FIXED_LENGTH = 132;
    private static final int DIGEST_LENGTH = 32;
    private static final String SUFFIX = ".snapshot";

    private final Path directory;
    private final byte[] genesisDigest;
    private final Durability durability;

    public SnapshotStore(Path directory, byte[] genesisDigest, Durability durability) {
        this.directory = directory;
        this.genesisDigest = genesisDigest.clone();
        this.durability = durability;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot create " + directory, e);
        }
    }

    /** Writes a snapshot, then removes all but the newest {@link #KEPT}. */
    public void write(EngineSnapshot snapshot) {
        Path target = directory.resolve(String.format("%020d%s", snapshot.sequence(), SUFFIX));
        Path beside = directory.resolve("snapshot.tmp");
        try {
            try (FileChannel file = FileChannel.open(
                    beside,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = encode(snapshot);
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
                if (durability.isForced()) {
                    file.force(true);
                }
            }
            Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            if (durability.isForced()) {
                forceDirectory();
            }
            List<Path> files = files();
            for (Path old : files.subList(Math.min(KEPT, files.size()), files.size())) {
                Files.delete(old);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot write " + target, e);
        }
    }

    private void forceDirectory() throws IOException {
        try (FileChannel entry = FileChannel.open(directory, StandardOpenOption.READ)) {
            entry.force(true);
        }
    }

    /** Returns the sound snapshots, newest first; damaged ones are named in the log. */
    public List<EngineSnapshot> readAll() {
        return files().stream().map(this::read).flatMap(Optional::stream).toList();
    }

    /** Removes snapshots that turned out to be newer than the files they rely on. */
    public void deleteAfter(long sequence) {
        for (Path file : files()) {
            if (sequenceOf(file) > sequence) {
                try {
                    Files.delete(file);
                } catch (IOException e) {
                    throw new UncheckedIOException("snapshot: cannot delete " + file, e);
                }
            }
        }
    }

    private List<Path> files() {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .sorted(Comparator.comparing(Path::getFileName).reversed())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("snapshot: cannot list " + directory, e);
        }
    }

    private static long sequenceOf(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
    }

    private Optional<EngineSnapshot> read(Path file) {
        try {
            return Optional.of(decode(Files.readAllBytes(file)));
        } catch (IOException | IllegalArgumentException | BufferUnderflowException e) {
            LOG.warn("snapshot: {} is passed over: {}", file, e.getMessage());
            return Optional.empty();
        }
    }

    private ByteBuffer encode(EngineSnapshot snapshot) {
        int length = FIXED_LENGTH
                + snapshot.totals().length * Long.BYTES
                + snapshot.reportSequences().size() * (Integer.BYTES + Long.BYTES)
                + snapshot.core().length
                + Integer.BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC)
                .put(genesisDigest)
                .putLong(snapshot.sequence())
                .put(snapshot.blockHash())
                .put(snapshot.resultDigest())
                .putLong(snapshot.queueIndex())
                .putInt(snapshot.totals().length);
        for (long total : snapshot.totals()) {
            bytes.putLong(total);
        }
        bytes.putInt(snapshot.reportSequences().size());
        for (Map.Entry<Integer, Long> broker : snapshot.reportSequences().entrySet()) {
            bytes.putInt(broker.getKey()).putLong(broker.getValue());
        }
        bytes.putInt(snapshot.core().length).put(snapshot.core());
        bytes.putInt(crc(bytes.array(), bytes.position()));
        return bytes.flip();
    }

    private EngineSnapshot decode(byte[] file) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        check(file.length >= FIXED_LENGTH + Integer.BYTES, "it has " + file.length + " bytes");
        check(bytes.getLong() == MAGIC, "it does not start with SBENGSN1");
        int crc = crc(file, file.length - Integer.BYTES);
        int stored = bytes.getInt(file.length - Integer.BYTES);
        check(crc == stored, String.format("CRC-32C is %08x, expected %08x", crc, stored));
        check(java.util.Arrays.equals(digest(bytes), genesisDigest), "it is of another genesis");
        long sequence = bytes.getLong();
        byte[] blockHash = digest(bytes);
        byte[] resultDigest = digest(bytes);
        long queueIndex = bytes.getLong();
        long[] totals = new long[bytes.getInt()];
        for (int i = 0; i < totals.length; i++) {
            totals[i] = bytes.getLong();
        }
        TreeMap<Integer, Long> reportSequences = new TreeMap<>();
        for (int left = bytes.getInt(); left > 0; left--) {
            reportSequences.put(bytes.getInt(), bytes.getLong());
        }
        byte[] core = new byte[bytes.getInt()];
        bytes.get(core);
        return new EngineSnapshot(sequence, blockHash, resultDigest, queueIndex, totals, reportSequences, core);
    }

    private static byte[] digest(ByteBuffer bytes) {
        byte[] digest = new byte[DIGEST_LENGTH];
        bytes.get(digest);
        return digest;
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static void check(boolean condition, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(fact);
        }
    }
}
