/**
 * The block archive beside the key-value stores that other chains keep their blocks in: the same blocks, the same
 * checks.
 *
 * <pre>
 *   StorageCommand ──▶ StorageRun ──▶ BlockStore ◀── ArchiveStore, LevelDbStore, RocksDbStore
 * </pre>
 */
package io.sealbook.perf.storage;
