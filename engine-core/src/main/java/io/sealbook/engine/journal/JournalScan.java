package io.sealbook.engine.journal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Where the last whole, sound block of a journal file ends.
 *
 * @param lastBlock the block; 0 when the file holds none
 * @param endOffset offset of the byte after it
 */
record JournalScan(long lastBlock, long endOffset) {

    /**
     * Scans a file up to and including {@code blockMax}, and no further than the first frame that is torn or damaged.
     */
    static JournalScan of(Path path, long blockMax) throws IOException {
        JournalScan found = new JournalScan(0, 0);
        long offset = 0;
        long size = Files.size(path);
        byte[] frame = new byte[1 << 16];
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 18))) {
            while (size - offset >= JournalFrame.HEADER_LENGTH) {
                in.readFully(frame, 0, JournalFrame.HEADER_LENGTH);
                ByteBuffer header = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
                int length = header.getInt(0);
                long block = header.getLong(8);
                boolean isLast = header.getInt(28) == 1;
                if (length < 0 || length > size - offset - JournalFrame.HEADER_LENGTH || block > blockMax) {
                    break;
                }
                if (frame.length < JournalFrame.HEADER_LENGTH + length) {
                    frame = Arrays.copyOf(frame, JournalFrame.HEADER_LENGTH + length);
                }
                in.readFully(frame, JournalFrame.HEADER_LENGTH, length);
                if (!JournalFrame.isSound(frame, length)) {
                    break;
                }
                offset += JournalFrame.HEADER_LENGTH + length;
                if (isLast) {
                    found = new JournalScan(block, offset);
                }
            }
        }
        return found;
    }
}
