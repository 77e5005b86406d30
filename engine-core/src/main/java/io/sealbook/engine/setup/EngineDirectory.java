package io.sealbook.engine.setup;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.Properties;

/**
 * Where an engine finds and keeps its files, below the directory of its node.
 *
 * <pre>
 *   DIR/genesis.json        the agreed start of the cluster
 *   DIR/engine.properties   addresses and settings
 *   DIR/node.properties     names the node; read for its id only
 *   DIR/archive             in: the blocks, written by the consensus node
 *   DIR/queue/blocks        in: one excerpt per block with its place in the archive
 *   DIR/queue/results       out: one excerpt an executed block, read by the consensus node
 *   DIR/queue/isolation     in: why the node is isolated, if it is
 *   DIR/engine/snapshots    state at a block
 *   DIR/engine/reports      per broker, every execution report; the last block whose reports are all there
 *   DIR/engine/journal      every output in the order emitted; the database follows it
 *   DIR/engine/rebuild      the last rebuild of a wrong engine
 *   DIR/engine/db           H2, unless another database is configured
 *   DIR/engine/http         what the HTTP servers write while they run
 * </pre>
 */
public record EngineDirectory(Path root) {
    public EngineDirectory {
        root = root.toAbsolutePath().normalize();
    }

    public Path genesis() {
        return root.resolve("genesis.json");
    }

    public Path properties() {
        return root.resolve("engine.properties");
    }

    /**
     * Returns the id of the node that the directory is of; empty beside a follower.
     *
     * @throws UncheckedIOException if node.properties cannot be read
     */
    public OptionalInt nodeId() {
        Path file = root.resolve("node.properties");
        if (!Files.isRegularFile(file)) {
            return OptionalInt.empty();
        }
        Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            values.load(reader);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
        String id = values.getProperty("node-id");
        return id == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(id.strip()));
    }

    public Path archive() {
        return root.resolve("archive");
    }

    public Path blocks() {
        return root.resolve("queue").resolve("blocks");
    }

    public Path results() {
        return root.resolve("queue").resolve("results");
    }

    public Path isolation() {
        return root.resolve("queue").resolve("isolation");
    }

    public Path rebuild() {
        return root.resolve("engine").resolve("rebuild");
    }

    /** Returns the mark of a database that holds what a wrong engine put out, until it is emptied. */
    public Path staleDatabase() {
        return root.resolve("engine").resolve("stale-database");
    }

    /** Returns the mark that the database filled from this directory has, too. */
    public Path databaseMark() {
        return root.resolve("engine").resolve("database-mark");
    }

    /** Returns where the HTTP servers keep their working files; nothing in it is needed after a start. */
    public Path http() {
        return root.resolve("engine").resolve("http");
    }

    public Path snapshots() {
        return root.resolve("engine").resolve("snapshots");
    }

    public Path reports() {
        return root.resolve("engine").resolve("reports");
    }

    public Path journal() {
        return root.resolve("engine").resolve("journal");
    }
}
