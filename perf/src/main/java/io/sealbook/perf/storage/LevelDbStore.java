package io.sealbook.perf.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.Options;
import org.iq80.leveldb.WriteOptions;

/** LevelDB with its default options, which compress with Snappy; its write-ahead log is forced if asked for. */
final class LevelDbStore implements BlockStore {
    private final DB database;
    private final WriteOptions writes;

    LevelDbStore(Path directory, boolean isSync) throws IOException {
        database = JniDBFactory.factory.open(directory.toFile(), new Options().createIfMissing(true));
        writes = new WriteOptions().sync(isSync);
    }

    @Override
    public void append(long sequence, byte[] block) {
        database.put(BlockKey.of(sequence), block, writes);
    }

    @Override
    public byte[] read(long sequence) {
        return database.get(BlockKey.of(sequence));
    }

    @Override
    public void close() throws IOException {
        database.close();
    }
}
