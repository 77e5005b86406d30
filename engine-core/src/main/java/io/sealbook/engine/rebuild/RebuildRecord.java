package io.sealbook.engine.rebuild;

import io.sealbook.handoff.IsolationNotice;
import io.sealbook.lock.WholeFile;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last rebuild of an engine, kept over restarts in {@code engine/rebuild}: the lines of its cause and its own.
 *
 * @param cause the isolation that it is to end
 * @param attempt 1 or 2
 * @param limit snapshots of later blocks are not used; 0 if none is
 * @param isBegun whether the rebuilt engine has reported a block; before that the rebuild begins anew at each start
 * @param result of the rebuilt engine at the checkpoint of the isolation; empty before it is there
 * @param total rebuilds of this engine so far, this one included
 */
public record RebuildRecord(
        IsolationNotice cause, int attempt, long limit, boolean isBegun, Optional<Digest> result, long total) {
    private static final Logger log = LoggerFactory.getLogger(RebuildRecord.class);

    RebuildRecord begun() {
        return new RebuildRecord(cause, attempt, limit, true, result, total);
    }

    RebuildRecord reached(Digest digest) {
        return new RebuildRecord(cause, attempt, limit, true, Optional.of(digest), total);
    }

    /** Returns whether the rebuilt engine has come to another result than the others again. */
    boolean hasFailed() {
        return result.filter(digest -> !digest.equals(cause.agreedResult())).isPresent();
    }

    /** Returns the record; empty if there is none, or it is damaged: then the attempts are counted anew. */
    public static Optional<RebuildRecord> read(Path file) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            String text = Files.readString(file);
            Properties values = new Properties();
            values.load(new StringReader(text));
            String result = values.getProperty("result", "");
            return Optional.of(new RebuildRecord(
                    IsolationNotice.of(text),
                    Integer.parseInt(values.getProperty("attempt")),
                    Long.parseLong(values.getProperty("limit")),
                    Boolean.parseBoolean(values.getProperty("begun")),
                    result.isEmpty()
                            ? Optional.empty()
                            : Optional.of(Digest.of(HexFormat.of().parseHex(result))),
                    Long.parseLong(values.getProperty("total"))));
        } catch (CharacterCodingException | IllegalArgumentException e) {
            log.warn("rebuild: {} is no record of a rebuild: {}", file, e.getMessage());
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("rebuild: cannot read " + file, e);
        }
    }

    /**
     * Writes the record; a reader finds it or the one before, and this one after a crash of the machine, too: else the
     * attempts would be counted anew.
     *
     * @throws UncheckedIOException if the disk is full or broken
     */
    public void write(Path file) {
        String own = "attempt=" + attempt + "\nlimit=" + limit + "\nbegun=" + isBegun + "\nresult="
                + result.map(Digest::hex).orElse("") + "\ntotal=" + total + "\n";
        try {
            Files.createDirectories(file.getParent());
            WholeFile.replace(file, (cause.text() + own).getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("rebuild: cannot write " + file, e);
        }
    }
}
