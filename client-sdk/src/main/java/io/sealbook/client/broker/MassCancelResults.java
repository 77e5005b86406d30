package io.sealbook.client.broker;

import io.sealbook.client.BrokerClientException;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.RequestRefusedException;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Completes the futures of mass cancels from the reports, each after the program's listener has had it. Any thread.
 *
 * <p>A report that refuses an expired batch completes none: the submission of that batch fails, too, and its caller
 * ends the request with {@link #fail}. The report may come after that, when the same request is under way again.
 */
final class MassCancelResults implements ExecutionReportListener {
    private final ExecutionReportListener next;
    private final Map<Long, CompletableFuture<Long>> open = new HashMap<>();
    /** Null while reports are delivered. */
    private BrokerClientException stopped;

    MassCancelResults(ExecutionReportListener next) {
        this.next = next;
    }

    /**
     * Expects the report of a request.
     *
     * @return the result; it has failed already if reports are not delivered any more
     * @throws IllegalArgumentException if one of this id is expected already
     */
    synchronized CompletableFuture<Long> expect(long clOrdId) {
        if (open.containsKey(clOrdId)) {
            throw new IllegalArgumentException(
                    "mass cancel " + Long.toUnsignedString(clOrdId) + " has no result yet, use another ClOrdID");
        }
        if (stopped != null) {
            return CompletableFuture.failedFuture(stopped);
        }
        CompletableFuture<Long> result = new CompletableFuture<>();
        open.put(clOrdId, result);
        return result;
    }

    @Override
    public void onReport(ExecutionReport report) {
        next.onReport(report);
        if (report.action() != Action.MASS_CANCEL) {
            return;
        }
        if (report.execType() == ExecType.CANCEL_REJECT && report.rejectReason() != RejectReason.BATCH_EXPIRED) {
            fail(report.clOrdId(), new RequestRefusedException(report));
        } else if (report.execType() == ExecType.MASS_CANCEL_REPORT && report.leavesQty() == 0) {
            take(report.clOrdId()).complete(report.cumQty());
        }
    }

    @Override
    public void onStopped(ExecutionReport unhandled, RuntimeException cause) {
        stop(cause.getMessage(), cause, () -> next.onStopped(unhandled, cause));
    }

    @Override
    public void onLost(long reportSequence, String why) {
        stop(why, null, () -> next.onLost(reportSequence, why));
    }

    private void stop(String why, Throwable cause, Runnable tell) {
        BrokerClientException failure =
                new ClientClosedException(true, "reports are not delivered any more: " + why, cause);
        synchronized (this) {
            stopped = failure;
        }
        try {
            tell.run();
        } finally {
            failAll(failure);
        }
    }

    /** Ends the request of this id without a result; does nothing if it has one. */
    void fail(long clOrdId, Throwable cause) {
        take(clOrdId).completeExceptionally(cause);
    }

    /** Ends all requests without a result. */
    void failAll(BrokerClientException cause) {
        List<CompletableFuture<Long>> left;
        synchronized (this) {
            left = List.copyOf(open.values());
            open.clear();
        }
        left.forEach(result -> result.completeExceptionally(cause));
    }

    private synchronized CompletableFuture<Long> take(long clOrdId) {
        CompletableFuture<Long> result = open.remove(clOrdId);
        return result == null ? new CompletableFuture<>() : result;
    }
}
