package io.sealbook.perf.storage;

import java.io.IOException;
import java.nio.file.Path;

/** The stores that are compared. */
enum StoreKind {
    /** The block archive. */
    ARCHIVE {
        @Override
        BlockStore open(Path directory, boolean isSync) {
            return new ArchiveStore(directory, isSync);
        }
    },
    /** LevelDB, which the source paper's baseline kept its blocks in. */
    LEVELDB {
        @Override
        BlockStore open(Path directory, boolean isSync) throws IOException {
            return new LevelDbStore(directory, isSync);
        }
    },
    /** RocksDB, LevelDB's successor. */
    ROCKSDB {
        @Override
        BlockStore open(Path directory, boolean isSync) throws IOException {
            return new RocksDbStore(directory, isSync);
        }
    };

    /**
     * Opens a store, or creates it.
     *
     * @param directory of its files
     * @param isSync whether each block is forced to the disk before append returns
     */
    abstract BlockStore open(Path directory, boolean isSync) throws IOException;
}
