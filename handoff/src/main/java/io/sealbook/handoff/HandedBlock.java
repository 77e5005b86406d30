package io.sealbook.handoff;

import io.sealbook.archive.BlockLocation;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What a node hands its engine for a block: the block's place in the archive and, if the node is set so, the block
 * itself.
 *
 * <pre>
 *   offset  length  meaning
 *   0       72      BlockLocation
 *   72      ...     nothing, or the block's bytes, whose length and CRC32C the location has
 * </pre>
 *
 * @param location place of the block in the node's archive
 * @param block its bytes, not to be changed; empty if the engine reads them from the archive
 */
public record HandedBlock(BlockLocation location, Optional<byte[]> block) {
    /** Returns what names a block only. */
    public static HandedBlock place(BlockLocation location) {
        return new HandedBlock(location, Optional.empty());
    }

    public long sequence() {
        return location.sequence();
    }

    /** Returns the bytes of the layout above; the array is the caller's. */
    public byte[] encode() {
        byte[] place = location.encode();
        if (block.isEmpty()) {
            return place;
        }
        byte[] bytes = Arrays.copyOf(place, place.length + block.get().length);
        System.arraycopy(block.get(), 0, bytes, place.length, block.get().length);
        return bytes;
    }

    /**
     * Reads an excerpt.
     *
     * @throws IllegalArgumentException if the bytes are none, or not those that were written
     */
    public static HandedBlock decode(byte[] bytes) {
        if (bytes.length <= BlockLocation.LENGTH) {
            return place(BlockLocation.decode(bytes));
        }
        BlockLocation location;
        try {
            location = BlockLocation.decode(Arrays.copyOf(bytes, BlockLocation.LENGTH));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(bytes.length + " bytes are no block handed over: " + e.getMessage(), e);
        }
        byte[] block = Arrays.copyOfRange(bytes, BlockLocation.LENGTH, bytes.length);
        CRC32C crc = new CRC32C();
        crc.update(block);
        if (block.length != location.length() || (int) crc.getValue() != location.crc()) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "block %d is damaged: %d bytes with CRC32C %08x, expected %d with %08x",
                    location.sequence(),
                    block.length,
                    (int) crc.getValue(),
                    location.length(),
                    location.crc()));
        }
        return new HandedBlock(location, Optional.of(block));
    }
}
