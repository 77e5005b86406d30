package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.TrackedOrder.Stage;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OrderTrackerTest {
    private static final ExpiredException EXPIRED =
            new ExpiredException(ExpiredException.Outcome.NOT_EXECUTED, 20, "3 nodes are beyond it without the batch");

    private final List<ExecutionReport> handedOn = new ArrayList<>();
    private final OrderTracker tracker = new OrderTracker(handedOn::add, 2);
    private long sequence;

    private ExecutionReport report(
            ExecType type,
            OrdStatus status,
            Action action,
            long clOrdId,
            long origClOrdId,
            long price,
            long leaves,
            long cum) {
        RejectReason reason = type == ExecType.REJECTED ? RejectReason.DUPLICATE_CL_ORD_ID : RejectReason.NONE;
        return report(type, status, action, clOrdId, origClOrdId, price, leaves, cum, reason);
    }

    private ExecutionReport report(
            ExecType type,
            OrdStatus status,
            Action action,
            long clOrdId,
            long origClOrdId,
            long price,
            long leaves,
            long cum,
            RejectReason reason) {
        sequence++;
        return ExecutionReport.builder()
                .reportSequence(sequence)
                .blockSequence(EXPIRED.validUntilBlock() + 1)
                .orderId(clOrdId)
                .execId(sequence)
                .clOrdId(clOrdId)
                .origClOrdId(origClOrdId)
                .price(price)
                .quantity(leaves + cum)
                .leavesQty(leaves)
                .cumQty(cum)
                .brokerId(1)
                .accountId(5)
                .instrumentId(3)
                .action(action)
                .execType(type)
                .ordStatus(status)
                .rejectReason(reason)
                .build();
    }

    private void onNew(long clOrdId) {
        tracker.onReport(report(ExecType.NEW, OrdStatus.NEW, Action.NEW, clOrdId, 0, 100, 10, 0));
    }

    private Stage stage(long clOrdId) {
        return tracker.find(clOrdId).orElseThrow().stage();
    }

    @Test
    void shouldFollowAnOrderToItsEnd() {
        tracker.submitting(List.of(Order.limit(11, 5, 3, Side.BUY, 100, 10)));
        assertThat(stage(11)).isEqualTo(Stage.PENDING_NEW);
        assertThat(tracker.find(11).orElseThrow().leavesQty()).isEqualTo(10);
        onNew(11);
        assertThat(stage(11)).isEqualTo(Stage.LIVE);
        tracker.onReport(report(ExecType.TRADE, OrdStatus.PARTIALLY_FILLED, Action.NEW, 11, 0, 100, 4, 6));
        assertThat(tracker.find(11).orElseThrow().cumQty()).isEqualTo(6);
        tracker.onReport(report(ExecType.TRADE, OrdStatus.FILLED, Action.NEW, 11, 0, 100, 0, 10));

        assertThat(stage(11)).isEqualTo(Stage.DONE);
        assertThat(tracker.find(11).orElseThrow().status()).contains(OrdStatus.FILLED);
        assertThat(tracker.open()).isEmpty();
        assertThat(handedOn).hasSize(3);
    }

    @Test
    void shouldFollowAReplacedOrderUnderItsNewId() {
        onNew(11);
        tracker.onReport(report(ExecType.REPLACED, OrdStatus.NEW, Action.REPLACE, 12, 11, 101, 20, 0));

        assertThat(tracker.find(12).orElseThrow().order().price()).isEqualTo(101);
        assertThat(tracker.find(11)).isEqualTo(tracker.find(12));
        assertThat(tracker.open()).hasSize(1);
        tracker.onReport(report(ExecType.CANCELED, OrdStatus.CANCELED, Action.CANCEL, 13, 12, 101, 0, 0));
        assertThat(stage(12)).isEqualTo(Stage.DONE);
        assertThat(stage(11)).isEqualTo(Stage.DONE);
        assertThat(tracker.find(13)).as("a cancel is no order").isEmpty();
    }

    @Test
    void shouldEndWhatIsCancelledWithoutARequest() {
        onNew(11);
        tracker.onReport(report(ExecType.CANCELED, OrdStatus.CANCELED, Action.NEW, 11, 0, 100, 0, 0));
        onNew(12);
        tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.NEW, 12, 0, 100, 0, 0));

        assertThat(stage(11)).isEqualTo(Stage.DONE);
        assertThat(stage(12)).isEqualTo(Stage.DONE);
    }

    @Test
    void shouldKeepALiveOrderWhoseIdIsUsedAgain() {
        onNew(11);
        tracker.onReport(report(ExecType.REJECTED, OrdStatus.REJECTED, Action.NEW, 11, 0, 100, 0, 0));
        assertThat(stage(11)).isEqualTo(Stage.LIVE);

        tracker.submitting(List.of(Order.limit(12, 5, 3, Side.BUY, 100, 10)));
        tracker.onReport(report(ExecType.REJECTED, OrdStatus.REJECTED, Action.NEW, 12, 0, 100, 0, 0));
        assertThat(stage(12)).isEqualTo(Stage.DONE);
        assertThat(tracker.find(12).orElseThrow().rejectReason()).isEqualTo(RejectReason.DUPLICATE_CL_ORD_ID);
    }

    @Test
    void shouldLeaveAnOrderAsItIsAfterARefusedCancel() {
        onNew(11);
        tracker.onReport(report(ExecType.CANCEL_REJECT, OrdStatus.NEW, Action.CANCEL, 12, 11, 100, 10, 0));

        assertThat(stage(11)).isEqualTo(Stage.LIVE);
    }

    @Test
    void shouldForgetWhatWasNotSubmittedAndTheOldestEnds() {
        List<Order> orders = List.of(Order.limit(11, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        tracker.notSubmitted(orders);
        assertThat(tracker.find(11)).isEmpty();

        for (long id = 21; id <= 23; id++) {
            onNew(id);
            tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.NEW, id, 0, 100, 0, 0));
        }
        assertThat(tracker.find(21)).isEmpty();
        assertThat(stage(22)).isEqualTo(Stage.DONE);
    }

    @Test
    void shouldCompleteAFutureAtTheEndOfAnOrderThatWasReplaced() {
        CompletableFuture<TrackedOrder> early = tracker.whenDone(11);
        onNew(11);
        CompletableFuture<TrackedOrder> late = tracker.whenDone(11);
        tracker.onReport(report(ExecType.REPLACED, OrdStatus.NEW, Action.REPLACE, 12, 11, 101, 20, 0));
        assertThat(early).isNotDone();
        tracker.onReport(report(ExecType.TRADE, OrdStatus.FILLED, Action.REPLACE, 12, 0, 101, 0, 20));

        assertThat(early.join().cumQty()).isEqualTo(20);
        assertThat(late.join().order().clOrdId()).isEqualTo(12);
        assertThat(tracker.whenDone(12)).isCompleted();
        assertThat(tracker.whenDone(11)).isCompleted();
    }

    @Test
    void shouldTakeAnIdThatIsUsedAgainForAnotherOrder() {
        onNew(11);
        tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.NEW, 11, 0, 100, 0, 0));
        onNew(11);

        assertThat(stage(11)).isEqualTo(Stage.LIVE);
        assertThat(tracker.whenDone(11)).isNotDone();
        for (long id = 21; id <= 23; id++) {
            onNew(id);
            tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.NEW, id, 0, 100, 0, 0));
        }
        assertThat(stage(11))
                .as("the end of the older one is forgotten, not the live one")
                .isEqualTo(Stage.LIVE);
    }

    @Test
    void shouldCompleteWhatIsAwaitedUnderTheIdOfAReplace() {
        CompletableFuture<TrackedOrder> awaited = tracker.whenDone(12);
        onNew(11);
        tracker.onReport(report(ExecType.REPLACED, OrdStatus.NEW, Action.REPLACE, 12, 11, 101, 20, 0));
        tracker.onReport(report(ExecType.CANCELED, OrdStatus.CANCELED, Action.CANCEL, 13, 12, 101, 0, 0));

        assertThat(awaited).isCompleted();
    }

    @Test
    void shouldCompleteWhatIsAwaitedOfAnOrderThatIsSubmittedAgain() {
        List<Order> orders = List.of(Order.limit(11, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        CompletableFuture<TrackedOrder> awaited = tracker.whenDone(11);
        tracker.notSubmitted(orders);
        assertThat(tracker.find(11)).isEmpty();
        assertThat(tracker.open()).isEmpty();

        tracker.submitting(orders);
        assertThat(stage(11)).isEqualTo(Stage.PENDING_NEW);
        onNew(11);
        tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.NEW, 11, 0, 100, 0, 0));

        assertThat(awaited).isCompleted();
    }

    @Test
    void shouldForgetTheOldestOfManyThatAreAwaitedAndNotSubmitted() {
        int count = 100_000;
        List<CompletableFuture<TrackedOrder>> awaited = new ArrayList<>();
        for (long id = 1; id <= count; id++) {
            List<Order> orders = List.of(Order.limit(id, 5, 3, Side.BUY, 100, 10));
            tracker.submitting(orders);
            awaited.add(tracker.whenDone(id));
            tracker.notSubmitted(orders);
        }

        assertThat(tracker.idCount()).isEqualTo(2);
        assertThat(awaited.subList(0, count - 2)).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThatThrownBy(awaited.get(0)::get)
                .hasCauseInstanceOf(CancellationException.class)
                .hasMessageContaining("order 1 was not submitted");
        assertThat(awaited.subList(count - 2, count)).noneMatch(CompletableFuture::isDone);

        onNew(count);
        tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.NEW, count, 0, 100, 0, 0));
        assertThat(awaited.get(count - 1)).isCompleted();
    }

    @Test
    void shouldForgetTheOldestOfManyThatAreAwaitedAndNotKnown() {
        CompletableFuture<TrackedOrder> first = tracker.whenDone(1);

        for (long id = 2; id <= 100_000; id++) {
            tracker.whenDone(id);
        }

        assertThat(tracker.idCount()).isEqualTo(OrderTracker.UNKNOWN_MAX);
        assertThatThrownBy(first::get)
                .hasCauseInstanceOf(CancellationException.class)
                .hasMessageContaining("order 1 is not known");
        assertThat(tracker.whenDone(100_000)).isNotDone();
    }

    /** One is submitted under its own id after all, one is the new id of an order that is replaced. */
    @Test
    void shouldNotForgetARefusedOrderThatIsFollowedAgain() {
        List<CompletableFuture<TrackedOrder>> awaited = new ArrayList<>();
        for (long id = 11; id <= 12; id++) {
            List<Order> orders = List.of(Order.limit(id, 5, 3, Side.BUY, 100, 10));
            tracker.submitting(orders);
            awaited.add(tracker.whenDone(id));
            tracker.notSubmitted(orders);
        }
        tracker.submitting(List.of(Order.limit(11, 5, 3, Side.BUY, 100, 10)));
        onNew(10);
        tracker.onReport(report(ExecType.REPLACED, OrdStatus.NEW, Action.REPLACE, 12, 10, 101, 20, 0));
        for (long id = 21; id <= 23; id++) {
            List<Order> orders = List.of(Order.limit(id, 5, 3, Side.BUY, 100, 10));
            tracker.submitting(orders);
            tracker.whenDone(id);
            tracker.notSubmitted(orders);
        }

        assertThat(awaited).noneMatch(CompletableFuture::isDone);
        tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.NEW, 11, 0, 100, 0, 0));
        tracker.onReport(report(ExecType.EXPIRED, OrdStatus.EXPIRED, Action.REPLACE, 12, 0, 100, 0, 0));
        assertThat(awaited).allMatch(each -> !each.isCompletedExceptionally() && each.isDone());
    }

    @Test
    void shouldKeepTheFirstAndTheLastIdsOfAnOrder() {
        int count = 3 * OrderTracker.LAST_IDS_MAX;
        onNew(1);
        for (long id = 2; id <= count; id++) {
            tracker.onReport(report(ExecType.REPLACED, OrdStatus.NEW, Action.REPLACE, id, id - 1, 101, 20, 0));
        }

        long firstOfLast = count - OrderTracker.LAST_IDS_MAX + 1;
        for (long id = 2; id < firstOfLast; id++) {
            assertThat(tracker.find(id)).isEmpty();
        }
        for (long id = firstOfLast; id <= count; id++) {
            assertThat(stage(id)).isEqualTo(Stage.LIVE);
        }
        assertThat(stage(1)).isEqualTo(Stage.LIVE);
        assertThat(tracker.open()).hasSize(1);
    }

    /** The engine admits the id, because a replace has given the first order another one. */
    @Test
    void shouldKeepApartTwoLiveOrdersOfWhichOneHasHadTheIdOfTheOther() {
        onNew(11);
        CompletableFuture<TrackedOrder> first = tracker.whenDone(11);
        tracker.onReport(report(ExecType.REPLACED, OrdStatus.NEW, Action.REPLACE, 12, 11, 101, 20, 0));
        tracker.submitting(List.of(Order.limit(11, 5, 3, Side.BUY, 100, 10)));
        assertThat(stage(11)).isEqualTo(Stage.PENDING_NEW);
        onNew(11);
        AtomicLong ids = new AtomicLong(100);

        assertThat(tracker.open()).hasSize(2);
        assertThat(tracker.cancels(ids::incrementAndGet))
                .containsExactly(Order.cancel(101, 12, 5, 3, Side.BUY), Order.cancel(102, 11, 5, 3, Side.BUY));
        tracker.onReport(report(ExecType.CANCELED, OrdStatus.CANCELED, Action.CANCEL, 102, 11, 100, 0, 0));
        assertThat(stage(11)).isEqualTo(Stage.DONE);
        assertThat(stage(12)).isEqualTo(Stage.LIVE);
        assertThat(first).isNotDone();
        tracker.onReport(report(ExecType.TRADE, OrdStatus.FILLED, Action.REPLACE, 12, 0, 101, 0, 20));
        assertThat(first).isCompletedWithValueMatching(ended -> ended.order().clOrdId() == 12);
    }

    @Test
    void shouldEndARefusedOrderWhoseIdALiveOrderHasHad() {
        onNew(11);
        tracker.onReport(report(ExecType.REPLACED, OrdStatus.NEW, Action.REPLACE, 12, 11, 101, 20, 0));
        tracker.submitting(List.of(Order.limit(11, 5, 3, Side.BUY, 100, 10)));
        CompletableFuture<TrackedOrder> second = tracker.whenDone(11);
        tracker.onReport(report(ExecType.REJECTED, OrdStatus.REJECTED, Action.NEW, 11, 0, 100, 0, 0));

        assertThat(second)
                .isCompletedWithValueMatching(ended -> ended.status().equals(Optional.of(OrdStatus.REJECTED)));
        assertThat(tracker.open()).extracting(open -> open.order().clOrdId()).containsExactly(12L);
    }

    /** A later block holds the expired batch, before that of the second submission. */
    @Test
    void shouldFollowAnOrderThatIsSubmittedAgainAfterItsBatchHasExpired() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        tracker.submitting(orders);
        tracker.onReport(expired(7));
        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);
        assertThat(done).isNotDone();
        onNew(7);
        assertThat(stage(7)).isEqualTo(Stage.LIVE);
        tracker.onReport(report(ExecType.TRADE, OrdStatus.FILLED, Action.NEW, 7, 0, 100, 0, 10));

        assertThat(done).isCompletedWithValueMatching(ended -> ended.status().equals(Optional.of(OrdStatus.FILLED)));
    }

    @Test
    void shouldEndAnOrderWhenItsLastSubmissionHasExpired() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        tracker.submitting(orders);
        tracker.onReport(expired(7));
        tracker.onReport(expired(7));

        assertThat(done).isCompletedWithValueMatching(ended -> ended.rejectReason() == RejectReason.BATCH_EXPIRED);
        assertThat(tracker.open()).isEmpty();
    }

    @Test
    void shouldEndAnOrderWhoseSecondSubmissionWasRefused() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        tracker.submitting(orders);
        tracker.notSubmitted(orders);
        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);
        tracker.onReport(expired(7));

        assertThat(stage(7)).isEqualTo(Stage.DONE);
    }

    /** The tracker is of a new run: it has not noted the submission of the earlier one. */
    @Test
    void shouldFollowAnOrderThatIsSubmittedAgainAfterItsResentBatchHasExpired() {
        tracker.resent(List.of(new ResentBatch(4, List.of(7L, 8L), new CompletableFuture<>())));
        assertThat(tracker.open()).isEmpty();
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        tracker.onReport(expired(7));
        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);
        assertThat(done).isNotDone();
        onNew(7);
        assertThat(stage(7)).isEqualTo(Stage.LIVE);

        tracker.onReport(expired(8));
        assertThat(stage(8)).isEqualTo(Stage.DONE);
    }

    /** Its report came before, or comes before the program submits the order again: no other one is to come. */
    @Test
    void shouldEndAnOrderWhoseResentBatchHadItsReportWhenItsSubmissionHasExpired() {
        List<ResentBatch> batches = List.of(new ResentBatch(4, List.of(7L, 8L), new CompletableFuture<>()));
        tracker.onReport(expired(7));
        tracker.resent(batches);
        tracker.onReport(expired(8));
        for (long id = 7; id <= 8; id++) {
            tracker.submitting(List.of(Order.limit(id, 5, 3, Side.BUY, 100, 10)));
            tracker.onReport(expired(id));
            assertThat(stage(id)).isEqualTo(Stage.DONE);
        }
    }

    /** Its session has ended, so that no block holds its batch and no report refuses it. */
    @Test
    void shouldEndAnOrderWhoseBatchHasExpiredAndHasNoReport() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);

        tracker.expired(orders, EXPIRED);

        assertThat(done)
                .isCompletedWithValueMatching(ended -> ended.stage() == Stage.DONE
                        && ended.report().isEmpty()
                        && ended.status().equals(Optional.of(OrdStatus.REJECTED))
                        && ended.rejectReason() == RejectReason.BATCH_EXPIRED
                        && ended.leavesQty() == 0);
        assertThat(tracker.open()).isEmpty();
        tracker.expired(orders, EXPIRED);
        tracker.onReport(expired(7));
        assertThat(tracker.find(7).orElseThrow().report()).isPresent();
        assertThat(tracker.idCount()).isEqualTo(1);
    }

    @Test
    void shouldFollowAnOrderThatIsSubmittedAgainInAnotherSession() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        CompletableFuture<TrackedOrder> done = tracker.whenDone(7);
        tracker.submitting(orders);
        tracker.expired(orders, EXPIRED);
        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);

        // The second one expires, too. Its report is the only one that comes.
        tracker.onReport(expired(7));
        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);
        assertThat(done).isNotDone();
        tracker.expired(orders, EXPIRED);

        assertThat(done).isCompletedWithValueMatching(ended -> ended.rejectReason() == RejectReason.BATCH_EXPIRED);
        assertThat(tracker.open()).isEmpty();
    }

    /** A program may note the end of the first before it submits again. */
    @Test
    void shouldNotEndAnOrderByTheLateReportOfAnExpiredBatch() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        tracker.expired(orders, EXPIRED);
        tracker.submitting(orders);

        tracker.onReport(expired(7));
        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);
        onNew(7);
        assertThat(stage(7)).isEqualTo(Stage.LIVE);
    }

    /** The block that holds the expired batch is known before the program has seen its failure. */
    @Test
    void shouldNotEndAnOrderIfTheReportOfAnExpiredBatchCameFirst() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        tracker.onReport(expired(7));
        assertThat(stage(7)).isEqualTo(Stage.DONE);
        tracker.submitting(orders);
        tracker.expired(orders, EXPIRED);
        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);

        tracker.submitting(orders);
        tracker.onReport(expired(7));
        tracker.expired(orders, EXPIRED);

        assertThat(stage(7)).isEqualTo(Stage.PENDING_NEW);
        onNew(7);
        assertThat(stage(7)).isEqualTo(Stage.LIVE);
    }

    /** Its second submission is in another session, whose block comes first. */
    @Test
    void shouldKeepALiveOrderWhoseFirstBatchIsRefusedLater() {
        List<Order> orders = List.of(Order.limit(7, 5, 3, Side.BUY, 100, 10));
        tracker.submitting(orders);
        tracker.submitting(orders);
        tracker.expired(orders, EXPIRED);
        onNew(7);

        tracker.onReport(expired(7));

        assertThat(stage(7)).isEqualTo(Stage.LIVE);
        tracker.onReport(report(ExecType.TRADE, OrdStatus.FILLED, Action.NEW, 7, 0, 100, 0, 10));
        assertThat(tracker.find(7).orElseThrow().status()).contains(OrdStatus.FILLED);
    }

    private ExecutionReport expired(long clOrdId) {
        return report(
                ExecType.REJECTED, OrdStatus.REJECTED, Action.NEW, clOrdId, 0, 100, 0, 0, RejectReason.BATCH_EXPIRED);
    }

    @Test
    void shouldCancelAllLiveOrders() {
        onNew(11);
        onNew(12);
        tracker.submitting(List.of(Order.limit(13, 5, 3, Side.BUY, 100, 10)));
        AtomicLong ids = new AtomicLong(100);

        assertThat(tracker.cancels(ids::incrementAndGet))
                .containsExactly(Order.cancel(101, 11, 5, 3, Side.BUY), Order.cancel(102, 12, 5, 3, Side.BUY));
    }
}
