package io.sealbook.vocabulary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The header of a signed batch, read in place. A view is reused: {@link #wrap} moves it. The bytes stay the caller's.
 *
 * <p>Offsets are those of {@link SignedBatch}. A field is read where its place is, whatever the bytes are;
 * {@link #isOrderBatch} and {@link #isAdministrative} return whether they are a batch. The orders are not read. One
 * thread.
 */
public final class BatchView {
    /** SBE template of an OrderBatch. */
    public static final int TEMPLATE_ID = 1;
    /** SBE schema of the orders. */
    public static final int SCHEMA_ID = 1;
    /** Version of the schema. */
    public static final int SCHEMA_VERSION = 1;

    private static final int ROOT_LENGTH_OFFSET = 0;
    private static final int TEMPLATE_ID_OFFSET = 2;
    private static final int SCHEMA_ID_OFFSET = 4;
    private static final int SCHEMA_VERSION_OFFSET = 6;
    private static final int CHAIN_ID_OFFSET = 8;
    /** Where the number of the batch in its session begins. */
    public static final int NUMBER_OFFSET = 16;

    private static final int VALID_UNTIL_BLOCK_OFFSET = 24;
    private static final int SENT_TIME_OFFSET = 32;
    /** Where the id of the batch before begins. */
    public static final int PREVIOUS_OFFSET = 40;

    private static final int BROKER_ID_OFFSET = 72;
    private static final int KEY_ID_OFFSET = 76;
    private static final int SESSION_OFFSET = 78;
    /** Where the code of the signature scheme is. */
    public static final int SCHEME_OFFSET = 80;
    /** A byte that is 0. */
    public static final int RESERVED_OFFSET = 81;
    /** Where the time to live begins. */
    public static final int TIME_TO_LIVE_OFFSET = 82;
    /** Nanoseconds of a unit of the time to live. */
    public static final long TIME_TO_LIVE_UNIT_NS = 10_000_000;
    /** The longest time to live, in units: 655.35 s. */
    public static final int TIME_TO_LIVE_MAX = 0xFFFF;

    private static final int ORDER_LENGTH_OFFSET = 84;
    private static final int ORDER_COUNT_OFFSET = 86;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes;
    private int offset;
    private int signedLength;

    /** Wraps a whole array; see {@link #wrap(byte[], int, int)}. */
    public BatchView wrap(byte[] signedBatch) {
        return wrap(signedBatch, 0, signedBatch.length);
    }

    /**
     * Moves this view to a batch.
     *
     * @param bytes hold the batch; not copied
     * @param offset of the batch's first byte
     * @param signedLength bytes of the batch with its signature
     * @return this view
     * @throws IllegalArgumentException if it is shorter than a batch without orders; the view stays where it is
     * @throws IndexOutOfBoundsException if the array ends before it
     */
    public BatchView wrap(byte[] bytes, int offset, int signedLength) {
        if (signedLength < SignedBatch.signedLength(0)) {
            throw new IllegalArgumentException(
                    "a signed batch has at least " + SignedBatch.signedLength(0) + " bytes, not " + signedLength);
        }
        if (offset < 0 || signedLength > bytes.length - offset) {
            throw new IndexOutOfBoundsException(
                    "batch of " + signedLength + " bytes at " + offset + " of " + bytes.length + " bytes");
        }
        this.bytes = bytes;
        this.offset = offset;
        this.signedLength = signedLength;
        return this;
    }

    /** Returns whether message header, group header and length are those of orders in this version of the schema. */
    public boolean isOrderBatch() {
        return isTemplate(TEMPLATE_ID)
                && orderLength() == SignedBatch.ORDER_LENGTH
                && signedLength == SignedBatch.signedLength(orderCount());
    }

    /**
     * Returns whether message header, session and length are those of an {@link AdministrativeBatch} in this version of
     * the schema.
     */
    public boolean isAdministrative() {
        int length = transactionLength();
        return isTemplate(AdministrativeBatch.TEMPLATE_ID)
                && brokerId() == SessionKey.ADMINISTRATION
                && length >= 1
                && length <= AdministrativeBatch.TRANSACTION_LENGTH_MAX
                && signedLength == AdministrativeBatch.signedLength(length);
    }

    private boolean isTemplate(int templateId) {
        return rootLength() == SignedBatch.ROOT_BLOCK_LENGTH
                && templateId() == templateId
                && schemaId() == SCHEMA_ID
                && schemaVersion() == SCHEMA_VERSION;
    }

    /** Returns the bytes of the root block that the message header states. */
    public int rootLength() {
        return unsignedShort(ROOT_LENGTH_OFFSET);
    }

    public int templateId() {
        return unsignedShort(TEMPLATE_ID_OFFSET);
    }

    public int schemaId() {
        return unsignedShort(SCHEMA_ID_OFFSET);
    }

    public int schemaVersion() {
        return unsignedShort(SCHEMA_VERSION_OFFSET);
    }

    public long chainId() {
        return (long) LONG.get(bytes, offset + CHAIN_ID_OFFSET);
    }

    /** Returns the number of the batch in its session, from 1, unsigned. */
    public long number() {
        return (long) LONG.get(bytes, offset + NUMBER_OFFSET);
    }

    /** Returns the last block that may hold the batch. */
    public long validUntilBlock() {
        return (long) LONG.get(bytes, offset + VALID_UNTIL_BLOCK_OFFSET);
    }

    /** Returns the broker's clock, nanoseconds since 1970. */
    public long sentTimeNs() {
        return (long) LONG.get(bytes, offset + SENT_TIME_OFFSET);
    }

    /** Returns the id of the batch before in the session; zeros in the first. */
    public Digest previous() {
        return Digest.of(bytes, offset + PREVIOUS_OFFSET);
    }

    /** Returns the broker's id, an unsigned number. */
    public int brokerId() {
        return (int) INT.get(bytes, offset + BROKER_ID_OFFSET);
    }

    /** Returns which of the broker's keys signed. */
    public int keyId() {
        return unsignedShort(KEY_ID_OFFSET);
    }

    /** Returns which of the broker's sessions the batch belongs to, from 0. */
    public int session() {
        return unsignedShort(SESSION_OFFSET);
    }

    /** Returns the session among those of all brokers. */
    public long sessionKey() {
        return SessionKey.of(brokerId(), session());
    }

    /**
     * Returns where the batch is in its session.
     *
     * @throws IllegalArgumentException if the number is 0
     */
    public BatchPosition position() {
        return new BatchPosition(session(), number(), previous());
    }

    /** Returns the code of the signature scheme. */
    public int schemeCode() {
        return bytes[offset + SCHEME_OFFSET] & 0xFF;
    }

    /** Returns the reserved byte, which is 0 in this version. */
    public int reserved() {
        return bytes[offset + RESERVED_OFFSET] & 0xFF;
    }

    /**
     * Returns the time after {@link #sentTimeNs} in which new orders and replaces are executed, in units of
     * {@link #TIME_TO_LIVE_UNIT_NS}; 0 without a limit.
     */
    public int timeToLive() {
        return unsignedShort(TIME_TO_LIVE_OFFSET);
    }

    /** Returns the bytes of one order that the group header states. */
    public int orderLength() {
        return unsignedShort(ORDER_LENGTH_OFFSET);
    }

    /** Returns the number of orders; 0 in an administrative batch, which has the upper bytes of a length there. */
    public int orderCount() {
        return unsignedShort(ORDER_COUNT_OFFSET);
    }

    /** Returns the bytes of an administrative batch's transaction; negative or wrong in other batches. */
    public int transactionLength() {
        return (int) INT.get(bytes, offset + AdministrativeBatch.LENGTH_OFFSET);
    }

    /** Returns the array that was wrapped. */
    public byte[] array() {
        return bytes;
    }

    /** Returns where the batch begins in {@link #array()}. */
    public int offset() {
        return offset;
    }

    /** Returns the bytes of the batch with its signature. */
    public int signedLength() {
        return signedLength;
    }

    /** Returns where the signature begins in {@link #array()}. */
    public int signatureOffset() {
        return offset + signedLength - SignedBatch.SIGNATURE_LENGTH;
    }

    private int unsignedShort(int at) {
        return (short) SHORT.get(bytes, offset + at) & 0xFFFF;
    }
}
