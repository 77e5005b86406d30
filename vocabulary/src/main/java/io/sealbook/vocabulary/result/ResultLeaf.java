package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Sha256;

/**
 * One leaf of a block's result tree: a run of packed messages of one kind.
 *
 * <pre>
 *   offset  length  meaning
 *   0       1       0x00, a leaf (RFC 6962 section 2.1)
 *   1       1       kind: 0 execution reports of one broker, 1 trades
 *   2       ...     1..{@link #RUN_MAX} messages, packed by {@link RecordPacker}; the first is packed alone
 * </pre>
 *
 * The hash of the leaf is SHA-256 of these bytes.
 */
public final class ResultLeaf {
    /** Number of messages in a run at most: no reader unpacks more to find one. */
    public static final int RUN_MAX = 256;

    private static final byte LEAF = 0;

    /** What a run consists of. The code is a byte of the leaf. */
    public enum Kind {
        /** Execution reports of one broker, in the broker's report order. */
        REPORT,
        /** Trades of all brokers, in trade order. */
        TRADE;

        /** Returns its code in a leaf. */
        public byte code() {
            return (byte) ordinal();
        }
    }

    private ResultLeaf() {}

    /**
     * Begins the hash of a leaf; the packed messages follow.
     *
     * @param sha256 a message begun before is forgotten
     * @param kind of the messages
     */
    public static void begin(Sha256 sha256, Kind kind) {
        sha256.reset().update(LEAF).update(kind.code());
    }

    /**
     * Returns the hash of a leaf.
     *
     * @param kind of the messages
     * @param packed the whole run; not changed
     * @return 32 bytes
     */
    public static byte[] hash(Kind kind, byte[] packed) {
        Sha256 sha256 = new Sha256();
        begin(sha256, kind);
        return sha256.update(packed).digestBytes();
    }
}
