package io.sealbook.node.session;

import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.vocabulary.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The last delivered number of every session after some block, in a file, so that a restart reads only the blocks
 * since. A lost or damaged file costs a pass over the archive and nothing else. One thread at a time.
 *
 * <pre>
 *   offset     length  meaning (little-endian)
 *   0          8       ASCII "SBHEADS1"
 *   8          8       sequence of the block
 *   16         32      hash of the block
 *   48         4       number of sessions, n
 *   52         48 n    for each 8 session key, 8 last delivered number, 32 id of its batch
 *   52 + 48 n  32      SHA-256 over all before
 * </pre>
 */
public final class SessionHeads implements AutoCloseable {
    /** Name of the file. */
    public static final String FILE = "heads";

    static final String UNFINISHED = "heads.new";
    private static final byte[] MAGIC = "SBHEADS1".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_LENGTH = 52;
    private static final int ENTRY_LENGTH = 48;

    /**
     * One session.
     *
     * @param sessionKey of all brokers' sessions
     * @param number last delivered one
     * @param id of the batch of that number
     */
    public record Delivered(long sessionKey, long number, Digest id) {}

    /**
     * All sessions after a block.
     *
     * @param sequence of the block
     * @param blockHash of the block
     * @param sessions in the order of their keys
     */
    public record AtBlock(long sequence, Digest blockHash, List<Delivered> sessions) {}

    private final Storage storage;

    private SessionHeads(Storage storage) {
        this.storage = storage;
    }

    /** Opens the file's directory, which becomes this object's and is closed with it. */
    public static SessionHeads open(Storage storage) {
        return new SessionHeads(storage);
    }

    /** Returns what was written last; empty if there is no file or it is damaged. */
    public Optional<AtBlock> read() {
        return read(FILE).or(() -> read(UNFINISHED));
    }

    private Optional<AtBlock> read(String name) {
        if (!storage.names().contains(name)) {
            return Optional.empty();
        }
        try (StoredFile file = storage.open(name)) {
            long length = file.length();
            if (length < HEADER_LENGTH + Digest.LENGTH || length > Integer.MAX_VALUE) {
                return Optional.empty();
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) length).order(ByteOrder.LITTLE_ENDIAN);
            file.read(buffer, 0);
            return decode(buffer.array());
        }
    }

    private static Optional<AtBlock> decode(byte[] bytes) {
        byte[] content = Arrays.copyOf(bytes, bytes.length - Digest.LENGTH);
        ByteBuffer buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[MAGIC.length];
        buffer.get(magic);
        if (!Digest.sha256(content).equals(Digest.of(bytes, content.length)) || !Arrays.equals(magic, MAGIC)) {
            return Optional.empty();
        }
        long sequence = buffer.getLong();
        Digest blockHash = Digest.read(buffer);
        int count = buffer.getInt();
        if (content.length != HEADER_LENGTH + (long) count * ENTRY_LENGTH) {
            return Optional.empty();
        }
        List<Delivered> sessions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sessions.add(new Delivered(buffer.getLong(), buffer.getLong(), Digest.read(buffer)));
        }
        return Optional.of(new AtBlock(sequence, blockHash, sessions));
    }

    /**
     * Replaces the file. A crash leaves the old one or the new one, which may still have its first name; a loss of
     * power may leave neither.
     */
    public void write(AtBlock heads) {
        int length = HEADER_LENGTH + heads.sessions().size() * ENTRY_LENGTH;
        ByteBuffer buffer = ByteBuffer.allocate(length + Digest.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(MAGIC)
                .putLong(heads.sequence())
                .put(heads.blockHash().bytes())
                .putInt(heads.sessions().size());
        for (Delivered session : heads.sessions()) {
            buffer.putLong(session.sessionKey())
                    .putLong(session.number())
                    .put(session.id().bytes());
        }
        buffer.put(Digest.sha256(Arrays.copyOf(buffer.array(), length)).bytes());
        try (StoredFile file = storage.create(UNFINISHED)) {
            file.write(ByteBuffer.wrap(buffer.array()), 0);
        }
        storage.delete(FILE);
        storage.rename(UNFINISHED, FILE);
    }

    @Override
    public void close() {
        storage.close();
    }
}
