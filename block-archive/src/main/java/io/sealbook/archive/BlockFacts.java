package io.sealbook.archive;

import java.util.OptionalLong;

/**
 * What the index knows about a block without reading it; local to this archive and covered by no hash.
 *
 * @param offset of the block's first byte in its segment file
 * @param length of the block in bytes
 * @param crc CRC32C of the block
 * @param executionTimeNs when the engine had executed it, nanoseconds since 1970; empty while unknown
 */
public record BlockFacts(long sequence, long offset, int length, int crc, OptionalLong executionTimeNs) {}
