package io.sealbook.matching;

import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultTree;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The results of one broker in one block, up to {@link ReportRun#COUNT_MAX} in a row, with the details from which
 * reports are made. Its cells are a leaf of the block's result tree, which is hashed once, when the run is full or the
 * block ends. Who is handed a run copies what it keeps: it is reused. One thread.
 */
public final class ResultRun {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NO_CAUSE = -1;

    private final int brokerId;
    private final Sha256 sha256 = new Sha256();
    private final byte[] leaf = new byte[ResultLeaf.HEADER_LENGTH + ResultLeaf.RUN_MAX * ResultCell.LENGTH];
    private final byte[] details = new byte[ReportRun.COUNT_MAX * ReportRun.DETAIL_LENGTH_MAX];
    private final byte[] hash = new byte[Sha256.LENGTH];
    private long firstSequence;
    private long block;
    private long blockTimeNs;
    private long execIdBefore;
    /** Where the next cell begins; 0 while there is none. */
    private int leafLength;

    private int detailsLength;
    private long causeInHand = NO_CAUSE;

    ResultRun(int brokerId) {
        this.brokerId = brokerId;
    }

    /** Names the block of the results to come; the run is empty. */
    void beginBlock(long sequence, long timeNs, long lastExecId) {
        block = sequence;
        blockTimeNs = timeNs;
        execIdBefore = lastExecId;
    }

    /** Adds the result of the report of this sequence; its detail follows. */
    void addCell(long sequence, long head, long order, long tradeOrCumQty, long quantity) {
        int at = leafLength;
        if (at == 0) {
            firstSequence = sequence;
            ResultLeaf.begin(leaf, brokerId, sequence);
            at = ResultLeaf.HEADER_LENGTH;
        }
        ResultCell.put(leaf, at, head, order, tradeOrCumQty, quantity);
        leafLength = at + ResultCell.LENGTH;
    }

    /** Adds the next word of the details. */
    void addWord(long word) {
        LONG.set(details, detailsLength, word);
        detailsLength += Long.BYTES;
    }

    /** Takes the order in hand that an entry has brought: what follows of the same cause is of this order. */
    void takeInHand(long cause) {
        causeInHand = cause;
    }

    /** Returns whether the order that an entry has brought is in hand. */
    boolean hasInHand(long cause) {
        return causeInHand == cause;
    }

    boolean isFull() {
        return leafLength == leaf.length;
    }

    boolean isEmpty() {
        return leafLength == 0;
    }

    /** Adds the run to the tree. */
    void close(ResultTree tree) {
        sha256.update(leaf, 0, leafLength).digest(hash, 0);
        tree.add(hash);
    }

    /** Begins another run. */
    void reset() {
        leafLength = 0;
        detailsLength = 0;
        causeInHand = NO_CAUSE;
    }

    public int brokerId() {
        return brokerId;
    }

    /** Returns the number of bytes that {@link #get} writes. */
    public int length() {
        return ReportRun.HEADER_LENGTH + leafLength - ResultLeaf.HEADER_LENGTH + detailsLength;
    }

    /**
     * Writes the run; {@link ReportRun} shows the bytes.
     *
     * @param destination has room for {@link #length()} bytes from {@code offset} on
     * @param offset where the run begins
     */
    public void get(byte[] destination, int offset) {
        int cells = leafLength - ResultLeaf.HEADER_LENGTH;
        ReportRun.begin(destination, offset, brokerId, cells / ResultCell.LENGTH, firstSequence);
        ReportRun.putBlock(destination, offset, block, blockTimeNs, execIdBefore);
        int at = offset + ReportRun.HEADER_LENGTH;
        System.arraycopy(leaf, ResultLeaf.HEADER_LENGTH, destination, at, cells);
        System.arraycopy(details, 0, destination, at + cells, detailsLength);
    }

    /**
     * Writes the hash of the leaf that the cells are, {@link Sha256#LENGTH} bytes.
     *
     * @param destination has room for them from {@code offset} on
     * @param offset where the hash begins
     */
    public void getLeafHash(byte[] destination, int offset) {
        System.arraycopy(hash, 0, destination, offset, hash.length);
    }
}
