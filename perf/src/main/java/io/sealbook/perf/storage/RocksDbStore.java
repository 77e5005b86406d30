package io.sealbook.perf.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB with its default options; its write-ahead log is forced if asked for. */
final class RocksDbStore implements BlockStore {
    private final Options options = new Options().setCreateIfMissing(true);
    private final WriteOptions writes = new WriteOptions();
    private final RocksDB database;

    RocksDbStore(Path directory, boolean isSync) throws IOException {
        writes.setSync(isSync);
        try {
            database = RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            options.close();
            writes.close();
            throw new IOException("cannot open RocksDB in " + directory, e);
        }
    }

    @Override
    public void append(long sequence, byte[] block) throws IOException {
        try {
            database.put(writes, BlockKey.of(sequence), block);
        } catch (RocksDBException e) {
            throw new IOException("RocksDB cannot write block " + sequence, e);
        }
    }

    @Override
    public byte[] read(long sequence) throws IOException {
        try {
            return database.get(BlockKey.of(sequence));
        } catch (RocksDBException e) {
            throw new IOException("RocksDB cannot read block " + sequence, e);
        }
    }

    @Override
    public void close() {
        database.close();
        writes.close();
        options.close();
    }
}
