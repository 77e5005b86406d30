package io.sealbook.chaos.ledger;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import java.util.List;

/**
 * A fact that a broker's program recorded. Times are those of {@link System#nanoTime}, which on one machine is one
 * clock for all programs.
 */
public sealed interface LedgerEntry {
    /** Returns when the fact was recorded, ns. */
    long timeNs();

    /**
     * A program that has connected.
     *
     * @param timeNs when it was connected
     * @param session that its batches belong to
     * @param firstNumber of the first batch that it submits itself
     * @param reportsFrom sequence of the first report that it asks for
     */
    record ProgramStart(long timeNs, int session, long firstNumber, long reportsFrom) implements LedgerEntry {}

    /**
     * A batch that is about to be submitted; it is recorded before any byte of it leaves.
     *
     * @param timeNs before the submission
     * @param session of the batch
     * @param number in its session
     * @param orders in the order of the batch
     */
    record SubmittedBatch(long timeNs, int session, long number, List<Order> orders) implements LedgerEntry {}

    /**
     * A receipt on which f + 1 nodes agree.
     *
     * @param timeNs after it came
     * @param session of the batch
     * @param number of the batch
     * @param block that holds the batch
     * @param batchIndex in the block, from 0
     * @param blockHash in hexadecimal
     */
    record Acknowledgement(long timeNs, int session, long number, long block, int batchIndex, String blockHash)
            implements LedgerEntry {}

    /**
     * A batch without a receipt.
     *
     * @param timeNs when the client gave up
     * @param session of the batch
     * @param number of the batch
     * @param cause as the client names it
     */
    record FailedBatch(long timeNs, int session, long number, String cause) implements LedgerEntry {}

    /**
     * An execution report on which f + 1 engines agree.
     *
     * @param timeNs after it came
     * @param report with all its fields
     */
    record SeenReport(long timeNs, ExecutionReport report) implements LedgerEntry {}
}
