package io.sealbook.crypto;

import java.util.Arrays;
import java.util.Objects;

/**
 * Signatures to be verified together, of any mix of schemes and keys, and their verdicts.
 *
 * <p>A reusable structure of arrays. Signatures are copied in; messages are borrowed and must not change until the
 * verdicts are read. One thread at a time.
 */
public final class SignatureBatch {
    /** A batch never holds more; larger work is cut into several batches. */
    public static final int CAPACITY_MAX = 1 << 16;

    private final VerificationKey[] keys;
    private final byte[][] messages;
    private final int[] messageOffsets;
    private final int[] messageLengths;
    private final byte[] signatures;
    private final boolean[] valid;
    private int size;

    /**
     * Makes an empty batch.
     *
     * @param capacity 1..{@link #CAPACITY_MAX} entries
     */
    public SignatureBatch(int capacity) {
        if (capacity < 1 || capacity > CAPACITY_MAX) {
            throw new IllegalArgumentException("capacity " + capacity + " is not in 1.." + CAPACITY_MAX);
        }
        keys = new VerificationKey[capacity];
        messages = new byte[capacity][];
        messageOffsets = new int[capacity];
        messageLengths = new int[capacity];
        signatures = new byte[capacity * SignatureScheme.SIGNATURE_LENGTH];
        valid = new boolean[capacity];
    }

    /** Removes all entries and releases keys and messages. */
    public void clear() {
        Arrays.fill(keys, 0, size, null);
        Arrays.fill(messages, 0, size, null);
        Arrays.fill(valid, 0, size, false);
        size = 0;
    }

    /**
     * Adds an entry. It is not valid until a verifier marks it.
     *
     * @param key of the signer
     * @param message borrowed until the verdicts are read
     * @param offset first byte of the message
     * @param length bytes of the message
     * @param signature r ‖ s ‖ v, {@link SignatureScheme#SIGNATURE_LENGTH} bytes at {@code signatureOffset}, copied
     * @param signatureOffset first byte of the signature
     * @return the entry's index
     * @throws IllegalStateException if the batch is full
     * @throws IndexOutOfBoundsException if a range does not fit its array
     */
    public int add(VerificationKey key, byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
        if (size == keys.length) {
            throw new IllegalStateException("batch is full: " + size);
        }
        Objects.requireNonNull(key, "key");
        Objects.checkFromIndexSize(offset, length, message.length);
        Objects.checkFromIndexSize(signatureOffset, SignatureScheme.SIGNATURE_LENGTH, signature.length);
        int index = size++;
        keys[index] = key;
        messages[index] = message;
        messageOffsets[index] = offset;
        messageLengths[index] = length;
        valid[index] = false;
        System.arraycopy(
                signature, signatureOffset, signatures, signatureOffset(index), SignatureScheme.SIGNATURE_LENGTH);
        return index;
    }

    /**
     * Adds an entry whose message and signature fill their arrays.
     *
     * @param key of the signer
     * @param message borrowed until the verdicts are read
     * @param signature r ‖ s ‖ v, copied
     * @return the entry's index
     * @throws IllegalStateException if the batch is full
     */
    public int add(VerificationKey key, byte[] message, byte[] signature) {
        return add(key, message, 0, message.length, signature, 0);
    }

    public int size() {
        return size;
    }

    public int capacity() {
        return keys.length;
    }

    public VerificationKey key(int index) {
        return keys[Objects.checkIndex(index, size)];
    }

    /** Returns the borrowed array that holds the message. */
    public byte[] message(int index) {
        return messages[Objects.checkIndex(index, size)];
    }

    public int messageOffset(int index) {
        return messageOffsets[Objects.checkIndex(index, size)];
    }

    public int messageLength(int index) {
        return messageLengths[Objects.checkIndex(index, size)];
    }

    /** Returns the signatures of all entries, one after another, for a verifier to read. */
    public byte[] signatures() {
        return signatures;
    }

    /** Returns where an entry's signature starts in {@link #signatures}. */
    public int signatureOffset(int index) {
        return index * SignatureScheme.SIGNATURE_LENGTH;
    }

    public boolean isValid(int index) {
        return valid[Objects.checkIndex(index, size)];
    }

    /**
     * Records a verdict; for verifiers.
     *
     * @param index of the entry
     * @param isValid the verdict
     */
    public void setValid(int index, boolean isValid) {
        valid[Objects.checkIndex(index, size)] = isValid;
    }
}
