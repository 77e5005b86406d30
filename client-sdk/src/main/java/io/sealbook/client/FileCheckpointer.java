package io.sealbook.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A checkpoint in a file of two slots written in turn, so that a torn write leaves the one before. Survives a killed
 * process; call {@link #force} where it must survive power loss. One thread at a time.
 *
 * <pre>
 *   offset  length  meaning
 *   0       8       report sequence, little-endian        slot of even sequences
 *   8       8       its complement: equal to ~sequence
 *   16      16      the same                              slot of odd sequences
 * </pre>
 */
public final class FileCheckpointer implements Checkpointer {
    private static final int SLOT_LENGTH = 16;

    private final FileChannel channel;
    private final ByteBuffer slot = ByteBuffer.allocateDirect(SLOT_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private long lastHandled;

    private FileCheckpointer(FileChannel channel) throws IOException {
        this.channel = channel;
        this.lastHandled = Math.max(read(0), read(1));
    }

    /** Opens the file, or creates it. */
    public static FileCheckpointer open(Path file) {
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
            return new FileCheckpointer(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint " + file + " cannot be opened", e);
        }
    }

    @Override
    public long lastHandled() {
        return lastHandled;
    }

    @Override
    public void handled(long reportSequence) {
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
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("checkpoint cannot be closed", e);
        }
    }

    private long read(int index) throws IOException {
        slot.clear();
        while (slot.hasRemaining()) {
            if (channel.read(slot, (long) index * SLOT_LENGTH + slot.position()) < 0) {
                return 0;
            }
        }
        slot.flip();
        long sequence = slot.getLong();
        return slot.getLong() == ~sequence ? sequence : 0;
    }
}
