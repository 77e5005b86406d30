package io.sealbook.chaos.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The ledger of one run of a broker's program. A line is with the operating system when {@link #write} returns: SIGKILL
 * of the program does not lose it. Any thread.
 */
public final class LedgerWriter implements AutoCloseable {
    private final FileChannel file;

    private LedgerWriter(FileChannel file) {
        this.file = file;
    }

    /**
     * Creates a ledger.
     *
     * @throws IOException if the file exists or cannot be created
     */
    public static LedgerWriter create(Path file) throws IOException {
        return new LedgerWriter(FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    /** Appends an entry. */
    public synchronized void write(LedgerEntry entry) {
        ByteBuffer line = ByteBuffer.wrap((LedgerText.line(entry) + "\n").getBytes(StandardCharsets.UTF_8));
        try {
            while (line.hasRemaining()) {
                file.write(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
