package io.sealbook.client.submission;

import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.codec.SealedBatch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One batch from its first order to its result. Orders and futures belong to the assembler until it is closed, the seal
 * to one signing thread, what the disk did to the writer of the outbox, and everything else to the client loop; each
 * hands it on through a queue.
 */
final class OutgoingBatch {
    static final int NO_NODE = -1;

    private final List<Order> orders;
    private final List<CompletableFuture<Receipt>> futures = new ArrayList<>(1);
    private long number;
    private SealedBatch sealed;
    private boolean mayBeInOutbox;
    private boolean isRenewal;

    // Client loop.
    boolean isSigned;
    boolean isDone;
    int lastNode = NO_NODE;
    int sendCount;
    /** Of the last time that it was sent. */
    long correlationId;

    long sentAtNs;
    /** No block up to this one holds it. */
    long knownBlock;

    long expiredSinceNs;
    boolean isExpiredSeen;
    /** Its futures are completed; it only keeps its place in the session. */
    boolean isSettled;

    /** An earlier run of the program signed it and may have sent it. */
    boolean isOfEarlierRun;

    /** A block holds it. */
    boolean isInBlock;

    boolean isDeclined;
    /** How often a node said that it is beyond the broker's rate. */
    int rateRefusals;
    /** Nodes that were given the bytes and have not refused them, bit by node id. */
    final BitSet holders = new BitSet();
    /** Nodes that said that the session cannot have it, bit by node id. */
    final BitSet refusers = new BitSet();
    /** The node that expected it when another one came, and was sent it again. */
    int gapNode = NO_NODE;

    final ReceiptTally tally;

    OutgoingBatch(List<Order> orders, int nodeCapacity) {
        this.orders = orders;
        this.tally = new ReceiptTally(nodeCapacity);
    }

    List<Order> orders() {
        return orders;
    }

    int orderCount() {
        return orders.size();
    }

    /** Position among the client's batches; the order in which they are sent. */
    long number() {
        return number;
    }

    void number(long value) {
        number = value;
    }

    /** Notes whether it holds a place of renewals; before it is closed. */
    void isRenewal(boolean value) {
        isRenewal = value;
    }

    boolean isRenewal() {
        return isRenewal;
    }

    /** Notes that a later run may send it, though the disk refused it; before it is handed on. */
    void mayBeInOutbox(boolean value) {
        mayBeInOutbox = value;
    }

    boolean mayBeInOutbox() {
        return mayBeInOutbox;
    }

    SealedBatch sealed() {
        return sealed;
    }

    void seal(SealedBatch value) {
        sealed = value;
    }

    CompletableFuture<Receipt> newFuture() {
        CompletableFuture<Receipt> future = new CompletableFuture<>();
        futures.add(future);
        return future;
    }

    void complete(Receipt receipt) {
        for (CompletableFuture<Receipt> future : futures) {
            future.complete(receipt);
        }
    }

    void completeExceptionally(Throwable cause) {
        for (CompletableFuture<Receipt> future : futures) {
            future.completeExceptionally(cause);
        }
    }
}
