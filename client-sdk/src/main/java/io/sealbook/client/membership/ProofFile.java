package io.sealbook.client.membership;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The file in which a client keeps the newest membership proof that it has judged: its next start begins there. It is
 * replaced at one instant, so that clients may share it. Any thread; a thread of its own writes, and the end of the
 * program waits for it.
 */
public final class ProofFile {
    private static final Logger log = System.getLogger(ProofFile.class.getName());

    private final Path file;
    private final AtomicReference<byte[]> unwritten = new AtomicReference<>();

    /** @param file need not be there; its directory must be */
    public ProofFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    /** Replaces the file soon; a failure is logged, because the next start can fetch the proof again. */
    void keep(byte[] proof) {
        unwritten.set(proof);
        new Thread(this::write, "sealbook-membership-file").start();
    }

    private synchronized void write() {
        byte[] proof = unwritten.getAndSet(null);
        if (proof == null) {
            // An earlier thread has written what was newer.
            return;
        }
        try {
            Path unfinished = Files.createTempFile(file.getParent(), file.getFileName() + ".", ".new");
            try {
                write(unfinished, ByteBuffer.wrap(proof));
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            log.log(Level.WARNING, "membership proof {0} cannot be kept: {1}", file, e);
        }
    }

    private static void write(Path path, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }
}
