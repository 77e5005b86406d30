package io.sealbook.peer.messagelog;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import net.openhft.hashing.LongHashFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages that were authenticated and wait to be counted, in fixed off-heap slots found by the hash of their key.
 *
 * <pre>
 *   address = base + slotWidth x (bucket x 4 + slot),   bucket = Murmur3(key) mod bucketCount
 *
 *   slot    0   8  type and source
 *           8   8  view
 *           16  8  sequence
 *           24  32 digest
 *           56  4  length of the message
 *           60  4  reserved
 *           64  .. message
 * </pre>
 *
 * The occupancy bitmap has one bit per slot. A message whose bucket is full, or which is wider than a slot, goes to a
 * heap table bounded in bytes; beyond that bound it is refused and the protocol's retransmission brings it again. A
 * message is a duplicate while one of the same key <em>and</em> the same digest waits; the same key with another digest
 * is kept as well, because it is evidence.
 *
 * <p>Threads: one thread stores, one (other) thread reads and releases. Counters may be read by any.
 */
public final class MessageLog {
    public static final int SLOTS_PER_BUCKET = 4;
    public static final int SLOT_HEADER_LENGTH = 64;
    public static final int DIGEST_LENGTH = 32;
    /** Instead of a handle: a message of this key and digest is waiting already. */
    public static final long DUPLICATE = -1;
    /** Instead of a handle: bucket and overflow are full. */
    public static final long REFUSED = -2;

    private static final int VIEW_OFFSET = 8;
    private static final int SEQUENCE_OFFSET = 16;
    private static final int DIGEST_OFFSET = 24;
    private static final int LENGTH_OFFSET = 56;
    private static final int BUCKETS_PER_WORD = Long.SIZE / SLOTS_PER_BUCKET;

    private final int slotWidth;
    private final int bucketMask;
    private final UnsafeBuffer slots;
    private final UnsafeBuffer occupancy;
    private final LongHashFunction hash;
    private final long[] hashInput = new long[3];
    private final Overflow overflow;
    private final AtomicInteger occupied = new AtomicInteger();

    public MessageLog(MessageLogConfig config) {
        slotWidth = config.slotWidthBytes();
        bucketMask = config.bucketCount() - 1;
        slots = new UnsafeBuffer(ByteBuffer.allocateDirect(config.bucketCount() * SLOTS_PER_BUCKET * slotWidth));
        occupancy = new UnsafeBuffer(ByteBuffer.allocateDirect(config.bucketCount() / BUCKETS_PER_WORD * Long.BYTES));
        hash = LongHashFunction.murmur_3(config.hashSeed());
        overflow = new Overflow(config.overflowBytesMax());
    }

    /**
     * Copies a message into the log.
     *
     * @param key type, view, sequence and source of the message
     * @param digest holds SHA-256 of the message, {@link #DIGEST_LENGTH} bytes
     * @param digestOffset of its first byte
     * @param message stays the caller's
     * @param offset of the message's first byte
     * @param length bytes of the message
     * @return a handle to be released exactly once, or {@link #DUPLICATE} or {@link #REFUSED}
     */
    public long store(
            MessageKey key, DirectBuffer digest, int digestOffset, DirectBuffer message, int offset, int length) {
        int bucket = bucket(key);
        int occupiedSlots = occupiedSlots(bucket);
        for (int slot = 0; slot < SLOTS_PER_BUCKET; slot++) {
            if ((occupiedSlots & 1 << slot) != 0 && holds(slotOffset(bucket, slot), key, digest, digestOffset)) {
                return DUPLICATE;
            }
        }
        if (overflow.holds(key, digest, digestOffset)) {
            return DUPLICATE;
        }
        int free = Integer.numberOfTrailingZeros(~occupiedSlots);
        if (free >= SLOTS_PER_BUCKET || length > slotWidth - SLOT_HEADER_LENGTH) {
            return overflow.store(key, digest, digestOffset, message, offset, length);
        }
        int at = slotOffset(bucket, free);
        slots.putLong(at, key.kind());
        slots.putLong(at + VIEW_OFFSET, key.view());
        slots.putLong(at + SEQUENCE_OFFSET, key.sequence());
        slots.putBytes(at + DIGEST_OFFSET, digest, digestOffset, DIGEST_LENGTH);
        slots.putInt(at + LENGTH_OFFSET, length);
        slots.putBytes(at + SLOT_HEADER_LENGTH, message, offset, length);
        // The bit is clear and only this thread sets bits, so adding it sets it; the add publishes the slot.
        occupancy.getAndAddLong(wordOffset(bucket), bit(bucket, free));
        occupied.incrementAndGet();
        return (long) bucket * SLOTS_PER_BUCKET + free;
    }

    /**
     * Passes a stored message to a reader.
     *
     * @param handle that {@link #store} returned and that is not released
     * @param reader called once; its buffer is valid until {@link #release}
     */
    public void read(long handle, MessageReader reader) {
        if (Overflow.owns(handle)) {
            overflow.read(handle, reader);
            return;
        }
        int at = occupiedOffset(handle);
        long kind = slots.getLong(at);
        MessageKey key = new MessageKey(
                (int) (kind >>> 16),
                slots.getLong(at + VIEW_OFFSET),
                slots.getLong(at + SEQUENCE_OFFSET),
                (int) kind & 0xFFFF);
        reader.onMessage(key, slots, at + SLOT_HEADER_LENGTH, slots.getInt(at + LENGTH_OFFSET));
    }

    /** Releases the place of a stored message. */
    public void release(long handle) {
        if (Overflow.owns(handle)) {
            overflow.release(handle);
            return;
        }
        occupiedOffset(handle);
        int bucket = (int) (handle / SLOTS_PER_BUCKET);
        // The bit is set and only this thread clears bits, so subtracting it clears it.
        occupancy.getAndAddLong(wordOffset(bucket), -bit(bucket, (int) (handle % SLOTS_PER_BUCKET)));
        occupied.decrementAndGet();
    }

    /** Returns how many slots are taken. */
    public int occupiedCount() {
        return occupied.get();
    }

    /** Returns how many slots there are. */
    public int slotCount() {
        return (bucketMask + 1) * SLOTS_PER_BUCKET;
    }

    /** Returns how many messages wait on the heap. */
    public int overflowCount() {
        return overflow.count();
    }

    /** Returns how many messages ever went to the heap. */
    public long overflowTotal() {
        return overflow.total();
    }

    private int bucket(MessageKey key) {
        hashInput[0] = key.kind();
        hashInput[1] = key.view();
        hashInput[2] = key.sequence();
        return (int) hash.hashLongs(hashInput) & bucketMask;
    }

    private boolean holds(int at, MessageKey key, DirectBuffer digest, int digestOffset) {
        if (slots.getLong(at) != key.kind()
                || slots.getLong(at + VIEW_OFFSET) != key.view()
                || slots.getLong(at + SEQUENCE_OFFSET) != key.sequence()) {
            return false;
        }
        for (int i = 0; i < DIGEST_LENGTH; i += Long.BYTES) {
            if (slots.getLong(at + DIGEST_OFFSET + i) != digest.getLong(digestOffset + i)) {
                return false;
            }
        }
        return true;
    }

    private int occupiedOffset(long handle) {
        if (handle < 0 || handle >= slotCount()) {
            throw new IllegalArgumentException("message log: no such handle: " + handle);
        }
        int bucket = (int) (handle / SLOTS_PER_BUCKET);
        int slot = (int) (handle % SLOTS_PER_BUCKET);
        if ((occupiedSlots(bucket) & 1 << slot) == 0) {
            throw new BrokenInvariantException("message log: slot " + handle + " is free");
        }
        return slotOffset(bucket, slot);
    }

    private int occupiedSlots(int bucket) {
        long word = occupancy.getLongVolatile(wordOffset(bucket));
        return (int) (word >>> bucket % BUCKETS_PER_WORD * SLOTS_PER_BUCKET) & (1 << SLOTS_PER_BUCKET) - 1;
    }

    private int slotOffset(int bucket, int slot) {
        return slotWidth * (bucket * SLOTS_PER_BUCKET + slot);
    }

    private static int wordOffset(int bucket) {
        return bucket / BUCKETS_PER_WORD * Long.BYTES;
    }

    private static long bit(int bucket, int slot) {
        return 1L << bucket % BUCKETS_PER_WORD * SLOTS_PER_BUCKET + slot;
    }
}
