package io.sealbook.node.session;

import io.sealbook.archive.storage.Storage;
import io.sealbook.archive.storage.StorageException;
import io.sealbook.archive.storage.StoredFile;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Evidence of equivocation, one file for each session of a broker and for each identity key of a member at most: the
 * numbers of sessions and keys bound them. A file stays until an operator removes it. One thread adds evidence of
 * brokers and one that of members; others may read, because a file is complete when it has its name.
 *
 * <p>Evidence binds no vote of this node, so a directory that takes no file stops nothing: what cannot be written is
 * held in memory, at most {@value #UNWRITTEN_MAX} pieces, and written when there is room. If more wait, pieces of
 * sessions are lost, of which a broker opens as many as it likes, and none of a member. A restart loses what waits.
 *
 * <p>Of a broker ({@link MemberEvidence} has that of a member):
 *
 * <pre>
 *   offset       length  meaning (little-endian)
 *   0            8       ASCII "SBEVID01"
 *   8            4       length of the first signed batch, n
 *   12           4       length of the second one, m
 *   16           n       first signed batch
 *   16 + n       m       second signed batch
 *   16 + n + m   32      SHA-256 over all before
 * </pre>
 */
public final class EvidenceStore implements AutoCloseable {
    /** Name of each file begins with it; broker and session follow. */
    public static final String PREFIX = "equivocation-";

    /** Name of each file of a member begins with it; member and key id follow. */
    public static final String MEMBER_PREFIX = "double-vote-";

    private static final Pattern MEMBER_NAME = Pattern.compile(MEMBER_PREFIX + "(\\d{1,5})-(\\d{1,5})");
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d{1,10})-(\\d{1,5})");
    private static final byte[] MAGIC = "SBEVID01".getBytes(StandardCharsets.US_ASCII);
    private static final int HEADER_LENGTH = 16;
    private static final int LENGTH_MAX = 1 << 20;

    /** Pieces of evidence that wait for room. */
    static final int UNWRITTEN_MAX = 64;

    /** After a failure, until the next attempt to write what waits. */
    private static final long RETRY_NS = 1_000_000_000L;

    /** Hears of evidence that cannot be written, on the threads that add it. */
    public interface Trouble {
        /**
         * A piece of evidence cannot be written, the first one since all was written.
         *
         * @param fact what the system reports
         */
        void unwritten(String fact);

        /**
         * All that waited is written.
         *
         * @param lost pieces for which there was no room in memory either
         */
        void written(int lost);
    }

    private final Storage storage;
    /** Contents of files that cannot be written, by name; guarded by this. */
    private final TreeMap<String, byte[]> unwritten = new TreeMap<>();

    private volatile boolean isWaiting;
    private int lost;
    /** When the last attempt failed; 0 if it did not. */
    private long failedNs;

    private Trouble trouble = new Trouble() {
        @Override
        public void unwritten(String fact) {
            // No listener.
        }

        @Override
        public void written(int lost) {
            // No listener.
        }
    };

    private EvidenceStore(Storage storage) {
        this.storage = storage;
    }

    /** Opens the store of a directory, which becomes the store's and is closed with it. */
    public static EvidenceStore open(Storage storage) {
        return new EvidenceStore(storage);
    }

    /** Returns the sessions of which evidence is kept, by the names of its files: a damaged one counts, too. */
    public List<Long> sessions() {
        List<Long> sessions = new ArrayList<>();
        for (String name : storage.names()) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                sessions.add(
                        SessionKey.of(Integer.parseUnsignedInt(matcher.group(1)), Integer.parseInt(matcher.group(2))));
            }
        }
        return sessions;
    }

    /** An identity key of a member. */
    public record MemberKey(int member, int keyId) {}

    /** Returns the members' keys of which evidence is kept, by the names of its files: a damaged one counts, too. */
    public List<MemberKey> memberKeys() {
        List<MemberKey> keys = new ArrayList<>();
        for (String name : storage.names()) {
            Matcher matcher = MEMBER_NAME.matcher(name);
            if (matcher.matches()) {
                keys.add(new MemberKey(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))));
            }
        }
        return keys;
    }

    /** Sets the listener; before anything is added. */
    public void onTrouble(Trouble listener) {
        trouble = listener;
    }

    /** Keeps the evidence durably, or in memory until there is room, unless its session has some already. */
    public void add(Equivocation evidence) {
        keep(name(evidence.sessionKey()), encode(evidence));
    }

    /**
     * Keeps the evidence durably, or in memory until there is room, unless there is some of that key already.
     *
     * @return whether it is new
     */
    public boolean add(MemberEvidence evidence) {
        return keep(MEMBER_PREFIX + evidence.member() + "-" + evidence.keyId(), evidence.encode());
    }

    private synchronized boolean keep(String name, byte[] bytes) {
        if (unwritten.containsKey(name)) {
            return false;
        }
        try {
            if (storage.names().contains(name)) {
                return false;
            }
            write(name, bytes);
        } catch (StorageException e) {
            wait(name, bytes, e);
        }
        return true;
    }

    private void wait(String name, byte[] bytes, StorageException failure) {
        boolean isFirst = unwritten.isEmpty();
        unwritten.put(name, bytes);
        isWaiting = true;
        if (unwritten.size() > UNWRITTEN_MAX) {
            // That of a session: these names are the last ones, and members have fewer keys than there are places.
            unwritten.remove(unwritten.lastKey());
            lost++;
        }
        if (isFirst) {
            trouble.unwritten(failure.getMessage());
        }
    }

    private void write(String name, byte[] bytes) {
        String unfinished = "new-" + name;
        try (StoredFile file = storage.create(unfinished)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.sync(true);
        }
        storage.rename(unfinished, name);
        storage.syncNames();
    }

    /**
     * Writes one piece of what waits for room, whose two syncs the caller waits for; after a failure it writes nothing
     * for one second. Costs nothing if nothing waits.
     *
     * @param nowNs monotonic clock
     */
    public void retry(long nowNs) {
        if (isWaiting) {
            writeNext(nowNs);
        }
    }

    private synchronized void writeNext(long nowNs) {
        if (unwritten.isEmpty() || failedNs != 0 && nowNs - failedNs < RETRY_NS) {
            return;
        }
        Map.Entry<String, byte[]> next = unwritten.firstEntry();
        try {
            write(next.getKey(), next.getValue());
        } catch (StorageException e) {
            // It was reported when the first one found no room; it is tried again.
            failedNs = nowNs;
            return;
        }
        failedNs = 0;
        unwritten.remove(next.getKey());
        if (unwritten.isEmpty()) {
            isWaiting = false;
            trouble.written(lost);
            lost = 0;
        }
    }

    private Optional<byte[]> waiting(String name) {
        if (!isWaiting) {
            return Optional.empty();
        }
        synchronized (this) {
            return Optional.ofNullable(unwritten.get(name));
        }
    }

    /** Returns the evidence of a member's key; empty if there is none or it is damaged. */
    public Optional<MemberEvidence> read(MemberKey key) {
        return read(MEMBER_PREFIX + key.member() + "-" + key.keyId(), MemberEvidence.LENGTH_MAX)
                .map(MemberEvidence::decode);
    }

    /** Returns the evidence of a session; empty if there is none or it is damaged. */
    public Optional<Equivocation> read(long sessionKey) {
        return read(name(sessionKey), LENGTH_MAX).map(EvidenceStore::decode);
    }

    private Optional<byte[]> read(String name, int lengthMax) {
        Optional<byte[]> waiting = waiting(name);
        if (waiting.isPresent()) {
            return waiting;
        }
        if (!storage.names().contains(name)) {
            return Optional.empty();
        }
        try (StoredFile file = storage.open(name)) {
            long length = file.length();
            if (length > lengthMax) {
                return Optional.empty();
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) length);
            file.read(buffer, 0);
            return Optional.of(buffer.array());
        }
    }

    private static String name(long sessionKey) {
        return PREFIX + Integer.toUnsignedString(SessionKey.brokerId(sessionKey)) + "-"
                + SessionKey.session(sessionKey);
    }

    private static byte[] encode(Equivocation evidence) {
        int length = HEADER_LENGTH + evidence.first().length + evidence.second().length;
        ByteBuffer buffer = ByteBuffer.allocate(length + Digest.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(MAGIC)
                .putInt(evidence.first().length)
                .putInt(evidence.second().length)
                .put(evidence.first())
                .put(evidence.second());
        byte[] content = new byte[length];
        buffer.get(0, content);
        buffer.put(Digest.sha256(content).bytes());
        return buffer.array();
    }

    /** Returns the evidence that the bytes of a file are; null if they are none. */
    public static Equivocation decode(byte[] bytes) {
        if (bytes.length < HEADER_LENGTH + Digest.LENGTH || bytes.length > LENGTH_MAX) {
            return null;
        }
        byte[] content = Arrays.copyOf(bytes, bytes.length - Digest.LENGTH);
        ByteBuffer buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        byte[] magic = new byte[MAGIC.length];
        buffer.get(magic);
        if (!Digest.sha256(content).equals(Digest.of(bytes, content.length)) || !Arrays.equals(magic, MAGIC)) {
            return null;
        }
        int firstLength = buffer.getInt();
        int secondLength = buffer.getInt();
        if (firstLength < SignedBatch.signedLength(0)
                || secondLength < SignedBatch.signedLength(0)
                || HEADER_LENGTH + (long) firstLength + secondLength != content.length) {
            return null;
        }
        byte[] first = new byte[firstLength];
        byte[] second = new byte[secondLength];
        buffer.get(first).get(second);
        return Equivocation.of(first, second).orElse(null);
    }

    @Override
    public void close() {
        storage.close();
    }
}
