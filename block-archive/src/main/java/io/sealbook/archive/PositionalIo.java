package io.sealbook.archive;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads and writes at an offset that move all bytes or fail. */
final class PositionalIo {
    private PositionalIo() {}

    static byte[] read(FileChannel channel, Path file, long offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new EOFException(
                        file + " ends at " + channel.size() + ", needed " + length + " bytes at " + offset);
            }
        }
        return buffer.array();
    }

    static void write(FileChannel channel, ByteBuffer source, long offset) throws IOException {
        long at = offset;
        while (source.hasRemaining()) {
            at += channel.write(source, at);
        }
    }

    /** Makes created, renamed and deleted names of a directory durable. */
    static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Returns whether a write failed for lack of room: device full, quota or file size limit. */
    static boolean isNoSpace(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("No space left")
                || message.contains("quota exceeded")
                || message.contains("File too large")
                || message.contains("not enough space");
    }

    /** Wraps a failure of a write, as full or as another failure. */
    static ArchiveException failure(String fact, IOException e) {
        return isNoSpace(e) ? new ArchiveFullException(fact, e) : new ArchiveException(fact, e);
    }
}
