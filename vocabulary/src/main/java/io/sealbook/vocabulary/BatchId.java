package io.sealbook.vocabulary;

/**
 * A batch's id: SHA-256 over the encoded batch without its signature. The same orders signed twice are the same batch.
 */
public final class BatchId {
    private BatchId() {}

    /**
     * Returns the id of a signed batch.
     *
     * @param signedBatch not changed
     * @throws IllegalArgumentException if it is not longer than a signature
     */
    public static Digest of(byte[] signedBatch) {
        return of(new Sha256(), signedBatch, 0, signedBatch.length);
    }

    /**
     * Returns the id of a signed batch.
     *
     * @param sha256 without a message begun; has none afterwards
     * @param bytes hold the batch; not changed
     * @param offset of the batch's first byte
     * @param signedLength bytes of the batch with its signature
     * @throws IllegalArgumentException if it is not longer than a signature
     */
    public static Digest of(Sha256 sha256, byte[] bytes, int offset, int signedLength) {
        return sha256.update(bytes, offset, length(signedLength)).digest();
    }

    /**
     * Returns whether a signed batch has an id.
     *
     * @param sha256 without a message begun; has none afterwards
     * @param bytes hold the batch; not changed
     * @param offset of the batch's first byte
     * @param signedLength bytes of the batch with its signature; false if it is not longer than a signature
     * @param id expected
     */
    public static boolean isOf(Sha256 sha256, byte[] bytes, int offset, int signedLength, Digest id) {
        return signedLength > SignedBatch.SIGNATURE_LENGTH
                && of(sha256, bytes, offset, signedLength).equals(id);
    }

    /**
     * Writes the id of a signed batch.
     *
     * @param sha256 without a message begun; has none afterwards
     * @param bytes hold the batch; not changed
     * @param offset of the batch's first byte
     * @param signedLength bytes of the batch with its signature, which need not be there yet
     * @param destination receives {@link Sha256#LENGTH} bytes
     * @param destinationOffset of the first byte that is written
     * @throws IllegalArgumentException if the batch is not longer than a signature
     */
    public static void write(
            Sha256 sha256, byte[] bytes, int offset, int signedLength, byte[] destination, int destinationOffset) {
        sha256.update(bytes, offset, length(signedLength)).digest(destination, destinationOffset);
    }

    private static int length(int signedLength) {
        if (signedLength <= SignedBatch.SIGNATURE_LENGTH) {
            throw new IllegalArgumentException(
                    "a signed batch has more than " + SignedBatch.SIGNATURE_LENGTH + " bytes, not " + signedLength);
        }
        return signedLength - SignedBatch.SIGNATURE_LENGTH;
    }
}
