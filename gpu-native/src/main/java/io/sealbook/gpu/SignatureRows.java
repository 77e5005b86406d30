package io.sealbook.gpu;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.bouncycastle.crypto.digests.SM3Digest;

/**
 * SM2 signatures as the kernels read them, one row each, and their keys; {@code sm2_row.cuh} draws both layouts.
 * Reusable; one thread at a time.
 *
 * <p>Messages of up to {@value #MESSAGE_LENGTH_MAX} bytes are hashed on the device, which covers everything that the
 * platform signs in bulk; longer ones are hashed here.
 */
final class SignatureRows {
    static final int ROW_LENGTH = 128;
    static final int KEY_LENGTH = 96;
    static final int MESSAGE_LENGTH_MAX = 55;
    /** Offset of the key's index in a row, four bytes, lowest first. */
    static final int KEY_INDEX_OFFSET = 120;

    private static final int SCALARS_LENGTH = 64;
    private static final int MESSAGE_OFFSET = 64;
    private static final int MESSAGE_ROOM = 56;
    private static final int MESSAGE_LENGTH_OFFSET = 124;
    private static final int DIGEST_GIVEN = 0xFFFFFFFF;
    private static final byte END_OF_MESSAGE = (byte) 0x80;
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final SM3Digest digest = new SM3Digest();
    private byte[] bytes = new byte[64 * ROW_LENGTH];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    /** Returns the rows, one after another; the array may be longer. */
    byte[] bytes() {
        return bytes;
    }

    int keyIndex(int row) {
        return (int) INT.get(bytes, row * ROW_LENGTH + KEY_INDEX_OFFSET);
    }

    /**
     * Appends an entry of a batch. Its recovery byte is not looked at.
     *
     * @param key of the entry, an SM2 key
     * @param keyIndex what the row shall say of its key
     */
    void add(SignatureBatch batch, int entry, VerificationKey key, int keyIndex) {
        if (key.scheme() != SignatureScheme.SM2_SM3) {
            throw new IllegalArgumentException("the kernels verify SM2 only, not " + key.scheme());
        }
        int offset = size * ROW_LENGTH;
        if (offset == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        System.arraycopy(batch.signatures(), batch.signatureOffset(entry), bytes, offset, SCALARS_LENGTH);
        int messageAt = offset + MESSAGE_OFFSET;
        int length = batch.messageLength(entry);
        Arrays.fill(bytes, messageAt, messageAt + MESSAGE_ROOM, (byte) 0);
        if (length <= MESSAGE_LENGTH_MAX) {
            System.arraycopy(batch.message(entry), batch.messageOffset(entry), bytes, messageAt, length);
            bytes[messageAt + length] = END_OF_MESSAGE;
            INT.set(bytes, offset + MESSAGE_LENGTH_OFFSET, length);
        } else {
            byte[] z = key.z();
            digest.update(z, 0, z.length);
            digest.update(batch.message(entry), batch.messageOffset(entry), length);
            digest.doFinal(bytes, messageAt);
            INT.set(bytes, offset + MESSAGE_LENGTH_OFFSET, DIGEST_GIVEN);
        }
        INT.set(bytes, offset + KEY_INDEX_OFFSET, keyIndex);
        size++;
    }

    /** Returns what the kernels read of a key: x, y and Z. */
    static byte[] keyRecord(VerificationKey key) {
        byte[] record = Arrays.copyOf(key.point(), KEY_LENGTH);
        byte[] z = key.z();
        System.arraycopy(z, 0, record, SignatureScheme.POINT_LENGTH, z.length);
        return record;
    }
}
