package io.sealbook.client;

import io.sealbook.lock.FailureReason;
import io.sealbook.lock.FileInUseException;
import io.sealbook.lock.LockFile;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A checkpoint in a file of two slots written in turn, so that a torn write leaves the one before. Survives a killed
 * process; call {@link #force} where it must survive power loss. One at a time for each file, which a lock in a file
 * beside it ensures, named as it is with {@code .lock} after it. Any thread: a client that is closed may checkpoint its
 * last report after the next client has begun.
 *
 * <pre>
 *   offset  length  meaning
 *   0       8       report sequence, little-endian        slot of even sequences
 *   8       8       its complement: equal to ~sequence
 *   16      16      the same                              slot of odd sequences
 *   32      8       "SBCHECK1", if the checkpoint is bound
 *   40      32      digest of the genesis file
 *   72      4       broker id, little-endian
 * </pre>
 */
public final class FileCheckpointer implements Checkpointer {
    private static final int SLOT_LENGTH = 16;
    private static final int OWNER_OFFSET = 2 * SLOT_LENGTH;
    private static final byte[] OWNER_MAGIC = "SBCHECK1".getBytes(StandardCharsets.US_ASCII);
    private static final int OWNER_LENGTH = OWNER_MAGIC.length + Digest.LENGTH + Integer.BYTES;

    private final Path file;
    private final LockFile lock;
    private final FileChannel channel;
    private final ByteBuffer slot = ByteBuffer.allocateDirect(SLOT_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private volatile long lastHandled;

    private FileCheckpointer(Path file, LockFile lock, FileChannel channel) throws IOException {
        this.file = file;
        this.lock = lock;
        this.channel = channel;
        this.lastHandled = Math.max(read(0), read(1));
    }

    /**
     * Opens the file, or creates it. It is locked until it is closed or the process ends: of two checkpointers on one
     * file each would pass over reports that only the other one has handled. The lock beside it, in its directory,
     * outlives a copy that this process makes; the file itself is locked, too, because it may have several names.
     *
     * @throws UncheckedIOException if it cannot be opened, or is open already, in this process or another one
     */
    public static FileCheckpointer open(Path file) {
        try {
            createIfAbsent(file);
            LockFile lock = lock(file);
            FileCheckpointer opened = null;
            try {
                opened = open(file, lock);
                return opened;
            } finally {
                if (opened == null) {
                    lock.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint " + file + " cannot be opened: " + FailureReason.of(e), e);
        }
    }

    /** A symbolic link names its file only once that is there. */
    private static void createIfAbsent(Path file) throws IOException {
        if (!Files.exists(file)) {
            FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)
                    .close();
        }
    }

    private static LockFile lock(Path file) throws IOException {
        try {
            return LockFile.takeBeside(file);
        } catch (FileInUseException e) {
            throw refusal(e.isOfThisProcess(), e);
        }
    }

    private static IOException refusal(boolean isOfThisProcess, Exception cause) {
        return new IOException(
                isOfThisProcess ? "this process has it open already" : "another process has it open", cause);
    }

    private static FileCheckpointer open(Path file, LockFile lock) throws IOException {
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        FileCheckpointer opened = null;
        try {
            if (channel.tryLock() == null) {
                throw refusal(false, null);
            }
            opened = new FileCheckpointer(file, lock, channel);
            return opened;
        } catch (OverlappingFileLockException e) {
            throw refusal(true, e);
        } finally {
            if (opened == null) {
                channel.close();
            }
        }
    }

    /** Binds a new checkpoint for ever; checks the binding of an old one. */
    @Override
    public void bind(Digest genesis, int brokerId) {
        ByteBuffer own = ByteBuffer.allocate(OWNER_LENGTH)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(OWNER_MAGIC)
                .put(genesis.bytes())
                .putInt(brokerId)
                .flip();
        try {
            ByteBuffer found = ByteBuffer.allocate(OWNER_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
            boolean isBound = read(found, OWNER_OFFSET);
            if (!isBound) {
                while (own.hasRemaining()) {
                    channel.write(own, OWNER_OFFSET + own.position());
                }
            } else if (!own.equals(found)) {
                throw new IllegalArgumentException("checkpoint " + file + " belongs to broker "
                        + Integer.toUnsignedString(found.getInt(OWNER_LENGTH - Integer.BYTES))
                        + " of the chain with genesis "
                        + Digest.of(found.array(), OWNER_MAGIC.length) + ", not to broker "
                        + Integer.toUnsignedString(brokerId) + " of " + genesis);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint " + file + " cannot be bound", e);
        }
    }

    @Override
    public long lastHandled() {
        return lastHandled;
    }

    /** Writes the sequence to its slot; one that is not after {@link #lastHandled} changes nothing. */
    @Override
    public synchronized void handled(long reportSequence) {
        if (reportSequence <= lastHandled) {
            return;
        }
        slot.clear().putLong(reportSequence).putLong(~reportSequence).flip();
        long offset = (reportSequence & 1) * SLOT_LENGTH;
        try {
            while (slot.hasRemaining()) {
                channel.write(slot, offset + slot.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint of report " + reportSequence + " cannot be written", e);
        }
        lastHandled = reportSequence;
    }

    /** Makes the last checkpoint survive power loss. */
    public void force() {
        try {
            channel.force(false);
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint of report " + lastHandled + " cannot be forced", e);
        }
    }

    @Override
    public void close() {
        try (lock) {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint cannot be closed", e);
        }
    }

    private long read(int index) throws IOException {
        slot.clear();
        if (!read(slot, (long) index * SLOT_LENGTH)) {
            return 0;
        }
        long sequence = slot.getLong();
        return slot.getLong() == ~sequence ? sequence : 0;
    }

    /** Fills an empty buffer and flips it; returns false if the file ends before. */
    private boolean read(ByteBuffer buffer, long offset) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                return false;
            }
        }
        buffer.flip();
        return true;
    }
}
