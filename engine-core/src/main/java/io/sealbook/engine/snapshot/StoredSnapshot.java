package io.sealbook.engine.snapshot;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A snapshot whose file was whole and undamaged when it was looked at. */
public final class StoredSnapshot {
    private final SnapshotHeader header;
    private final Path file;
    private final long coreOffset;

    StoredSnapshot(SnapshotHeader header, Path file, long coreOffset) {
        this.header = header;
        this.file = file;
        this.coreOffset = coreOffset;
    }

    /** Makes something of the core's part, of which it may read as much as it likes. */
    @FunctionalInterface
    public interface CoreReader<T> {
        /** @param stream buffered; closed by the caller; the core's part is followed by other bytes */
        T read(InputStream stream) throws IOException;
    }

    public SnapshotHeader header() {
        return header;
    }

    /**
     * Reads the core's part from the file; memory is needed for a buffer only.
     *
     * @throws IOException if the file cannot be read, or the reader refuses it
     */
    public <T> T readCore(CoreReader<T> reader) throws IOException {
        try (InputStream stream = new BufferedInputStream(Files.newInputStream(file), SnapshotFormat.BUFFER_BYTES)) {
            stream.skipNBytes(coreOffset);
            return reader.read(stream);
        }
    }
}
