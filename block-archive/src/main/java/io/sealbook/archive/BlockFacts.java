package io.sealbook.archive;

import java.util.OptionalLong;

/**
 * The facts of a block that the index holds; local to this archive and covered by no hash.
 *
 * @param offset of the block's first byte in its segment file
 * @param length of the block in bytes
 * @param crc CRC32C of the block
 * @param executionTimeNs when the engine had executed it, nanoseconds since 1970; empty while unknown
 */
public record BlockFacts(long sequence, long offset, int length, int crc, OptionalLong executionTimeNs) {}
