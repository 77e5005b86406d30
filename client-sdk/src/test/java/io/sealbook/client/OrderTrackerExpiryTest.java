package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ExpiredException.Outcome;
import io.sealbook.client.TrackedOrder.Stage;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Notes of expired batches, and reports that refuse them, with their blocks. */
class OrderTrackerExpiryTest {
    private static final List<Order> ORDERS = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));

    private final OrderTracker tracker = new OrderTracker(report -> {}, 2);
    private long sequence;

    /** The program did not note the first batch: its outcome was unknown, or an earlier run had submitted it. */
    @Test
    void shouldEndAnOrderWhoseFirstBatchWasRefusedWithoutANote() {
        tracker.submitting(ORDERS);
        refused(21);
        assertThat(stage()).isEqualTo(Stage.DONE);
        tracker.submitting(ORDERS);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        assertThat(stage()).isEqualTo(Stage.PENDING_NEW);

        expired(Outcome.NOT_EXECUTED, 21);

        assertThat(done).isCompletedWithValueMatching(ended -> ended.rejectReason() == RejectReason.BATCH_EXPIRED);
        assertThat(tracker.open()).isEmpty();
    }

    @Test
    void shouldEndAnOrderWhoseEarlierRunWasRefused() {
        refused(21);
        tracker.submitting(ORDERS);

        expired(Outcome.NOT_EXECUTED, 40);

        assertThat(stage()).isEqualTo(Stage.DONE);
    }

    /** Notes come on the program's threads, after the reports of several batches. */
    @Test
    void shouldPairLateNotesWithTheReportsOfTheirBatches() {
        tracker.submitting(ORDERS);
        refused(21);
        tracker.submitting(ORDERS);
        refused(41);
        tracker.submitting(ORDERS);

        expired(Outcome.NOT_EXECUTED, 40);
        expired(Outcome.NOT_EXECUTED, 20);
        assertThat(stage()).isEqualTo(Stage.PENDING_NEW);

        expired(Outcome.NOT_EXECUTED, 60);
        assertThat(stage()).isEqualTo(Stage.DONE);
    }

    /** A report comes with a block after the last valid one: what was noted is another batch. */
    @Test
    void shouldEndAnOrderByTheReportOfAnotherBatchThanTheNotedOne() {
        tracker.submitting(ORDERS);
        tracker.submitting(ORDERS);
        expired(Outcome.NOT_EXECUTED, 40);

        refused(40);

        assertThat(stage()).isEqualTo(Stage.DONE);
    }

    /** The session of the first batch has ended, so that the report is the second one's, whose outcome is unknown. */
    @Test
    void shouldEndAnOrderWhoseSecondBatchHasAnUnknownOutcomeAndIsRefused() {
        tracker.submitting(ORDERS);
        expired(Outcome.NOT_EXECUTED, 20);
        tracker.submitting(ORDERS);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        refused(41);
        assertThat(stage()).isEqualTo(Stage.PENDING_NEW);

        expired(Outcome.UNKNOWN, 40);

        assertThat(done).isCompletedWithValueMatching(ended -> ended.rejectReason() == RejectReason.BATCH_EXPIRED);
        assertThat(tracker.open()).isEmpty();
    }

    @Test
    void shouldEndAnOrderOfUnknownOutcomeWithTheReportThatRefusesIt() {
        tracker.submitting(ORDERS);
        expired(Outcome.NOT_EXECUTED, 20);
        tracker.submitting(ORDERS);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        expired(Outcome.UNKNOWN, 40);
        assertThat(done).isNotDone();

        refused(41);

        assertThat(done).isCompletedWithValueMatching(ended -> ended.report().isPresent());
    }

    /** A batch that was executed has its reports before those of later blocks. */
    @Test
    void shouldEndAnOrderOfUnknownOutcomeWhenAnotherOrderHasAReportOfALaterBlock() {
        tracker.submitting(ORDERS);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        expired(Outcome.UNKNOWN, 20);
        live(8, 20);
        assertThat(done).isNotDone();

        live(9, 21);

        assertThat(done).isCompletedWithValueMatching(ended -> ended.rejectReason() == RejectReason.BATCH_EXPIRED);
    }

    @Test
    void shouldFollowAnOrderOfUnknownOutcomeThatWasExecuted() {
        tracker.submitting(ORDERS);
        expired(Outcome.UNKNOWN, 20);
        live(7, 20);

        live(9, 21);

        assertThat(stage()).isEqualTo(Stage.LIVE);
    }

    @Test
    void shouldFollowAnOrderThatIsSubmittedAgainAfterAnUnknownOutcome() {
        tracker.submitting(ORDERS);
        expired(Outcome.UNKNOWN, 20);
        tracker.submitting(ORDERS);
        live(9, 21);
        assertThat(stage()).isEqualTo(Stage.PENDING_NEW);
        refused(22);
        assertThat(stage()).isEqualTo(Stage.PENDING_NEW);

        live(7, 23);

        assertThat(stage()).isEqualTo(Stage.LIVE);
    }

    /** The second batch was not submitted, and the order is forgotten until the third one. */
    @Test
    void shouldPairTheNoteOfAForgottenOrderWithItsReport() {
        tracker.submitting(ORDERS);
        tracker.submitting(ORDERS);
        expired(Outcome.NOT_EXECUTED, 20);
        tracker.notSubmitted(ORDERS);
        assertThat(tracker.find(7)).isEmpty();
        tracker.submitting(ORDERS);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);

        refused(25);

        assertThat(stage()).isEqualTo(Stage.PENDING_NEW);
        live(7, 26);
        assertThat(stage()).isEqualTo(Stage.LIVE);
        assertThat(done).isNotDone();
    }

    /** The report came before the exception, and its order was forgotten at its end. */
    /** An outage, after which more orders are submitted again than ids of ended orders are remembered. */
    @Test
    void shouldKeepTheNotesOfAllOpenOrders() {
        for (long id = 1; id <= 10_001; id++) {
            List<Order> order = List.of(Order.limit(id, 5, 3, Side.BUY, 100, 10));
            tracker.submitting(order);
            tracker.submitting(order);
            tracker.expired(order, new ExpiredException(Outcome.NOT_EXECUTED, 20, "no receipt"));
        }

        tracker.onReport(report(1, 25)
                .execType(ExecType.REJECTED)
                .ordStatus(OrdStatus.REJECTED)
                .rejectReason(RejectReason.BATCH_EXPIRED)
                .build());

        assertThat(tracker.find(1)).map(TrackedOrder::stage).hasValue(Stage.PENDING_NEW);
    }

    @Test
    void shouldPairTheReportOfAForgottenOrderWithItsNote() {
        OrderTracker forgetting = new OrderTracker(report -> {}, 0);
        forgetting.submitting(ORDERS);
        forgetting.onReport(refusal(25));
        assertThat(forgetting.find(7)).isEmpty();
        forgetting.submitting(ORDERS);

        forgetting.expired(ORDERS, new ExpiredException(Outcome.NOT_EXECUTED, 20, "no receipt"));

        assertThat(forgetting.find(7).orElseThrow().stage()).isEqualTo(Stage.PENDING_NEW);
    }

    private void expired(Outcome outcome, long validUntilBlock) {
        tracker.expired(ORDERS, new ExpiredException(outcome, validUntilBlock, "no receipt"));
    }

    private void refused(long block) {
        tracker.onReport(refusal(block));
    }

    private ExecutionReport refusal(long block) {
        return report(7, block)
                .execType(ExecType.REJECTED)
                .ordStatus(OrdStatus.REJECTED)
                .rejectReason(RejectReason.BATCH_EXPIRED)
                .build();
    }

    private void live(long clOrdId, long block) {
        tracker.onReport(report(clOrdId, block)
                .execType(ExecType.NEW)
                .ordStatus(OrdStatus.NEW)
                .leavesQty(10)
                .rejectReason(RejectReason.NONE)
                .build());
    }

    private ExecutionReportBuilder report(long clOrdId, long block) {
        sequence++;
        return ExecutionReport.builder()
                .reportSequence(sequence)
                .blockSequence(block)
                .execId(sequence)
                .clOrdId(clOrdId)
                .price(100)
                .quantity(10)
                .brokerId(1)
                .accountId(5)
                .instrumentId(3)
                .action(Action.NEW);
    }

    private Stage stage() {
        return tracker.find(7).orElseThrow().stage();
    }
}
