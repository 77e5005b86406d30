package io.sealbook.peer.messagelog;

/**
 * Size of a message log.
 *
 * @param bucketCount power of two, 16..2^20; each bucket has {@link MessageLog#SLOTS_PER_BUCKET} slots
 * @param slotWidthBytes multiple of 64, 128..65536; {@link MessageLog#SLOT_HEADER_LENGTH} of it is the slot's header
 * @param overflowBytesMax bytes of messages that may wait on the heap because their bucket was full or they are wider
 *     than a slot
 * @param hashSeed keeps a malicious member from choosing keys that fall into one bucket; random at run time, fixed in
 *     tests
 */
public record MessageLogConfig(int bucketCount, int slotWidthBytes, long overflowBytesMax, long hashSeed) {
    private static final int BUCKET_COUNT_MAX = 1 << 20;
    private static final int SLOT_WIDTH_MAX = 1 << 16;

    public MessageLogConfig {
        require(Integer.bitCount(bucketCount) == 1, "bucketCount is no power of two: ", bucketCount);
        require(bucketCount >= 16 && bucketCount <= BUCKET_COUNT_MAX, "bucketCount out of range: ", bucketCount);
        require(slotWidthBytes % 64 == 0, "slotWidthBytes is no multiple of 64: ", slotWidthBytes);
        require(
                slotWidthBytes >= 128 && slotWidthBytes <= SLOT_WIDTH_MAX,
                "slotWidthBytes out of range: ",
                slotWidthBytes);
        require(
                (long) bucketCount * MessageLog.SLOTS_PER_BUCKET * slotWidthBytes <= 1 << 30,
                "slots need more than 1 GiB: bucketCount ",
                bucketCount);
        require(overflowBytesMax >= 0, "overflowBytesMax is negative: ", overflowBytesMax);
    }

    /** Returns 4,096 buckets of 4 slots of 512 bytes (8 MiB), 64 MiB of overflow. */
    public static MessageLogConfig defaults(long hashSeed) {
        return new MessageLogConfig(4_096, 512, 64L << 20, hashSeed);
    }

    private static void require(boolean condition, String fact, long value) {
        if (!condition) {
            throw new IllegalArgumentException("message log: " + fact + value);
        }
    }
}
