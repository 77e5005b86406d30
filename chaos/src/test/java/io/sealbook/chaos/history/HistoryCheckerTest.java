package io.sealbook.chaos.history;

import static io.sealbook.chaos.history.SampleHistory.change;
import static io.sealbook.chaos.history.SampleHistory.report;
import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.chaos.ledger.LedgerEntry;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each planted wrong history is found by the rule that it breaks; the right one is not. */
class HistoryCheckerTest {
    private static final Order CANCEL = Order.cancel(2, 1, 1, 1, Side.SELL);

    private final SampleHistory history = new SampleHistory();

    @Test
    void shouldFindNothingInARightHistory() {
        assertThat(history.violations()).isEmpty();
    }

    @Test
    void shouldFindALostBatchThatWasAcknowledged() {
        history.firstRun.add(new LedgerEntry.SubmittedBatch(46, 0, 7, List.of(sell(9))));
        history.firstRun.add(new LedgerEntry.Acknowledgement(47, 0, 7, 2, 1, SampleHistory.HASH));

        assertBroken(Rule.ACKNOWLEDGED_IS_KEPT, "batch 7 of session 0 of broker 1 was acknowledged at 2/1");
    }

    @Test
    void shouldFindALostBatchThatWasReported() {
        history.chain.remove(1);

        assertBroken(Rule.ACKNOWLEDGED_IS_KEPT, "names block 2, batch 0, which does not exist");
    }

    @Test
    void shouldFindASubmittedBatchThatIsInNoBlock() {
        history.secondRun.add(new LedgerEntry.SubmittedBatch(70, 0, 3, List.of(sell(3))));

        assertBroken(Rule.LIVENESS, "batch 3 of session 0 of broker 1 was submitted and is in no block");
    }

    @Test
    void shouldFindABatchThatWasGivenUp() {
        history.secondRun.add(new LedgerEntry.SubmittedBatch(70, 0, 3, List.of(sell(3))));
        history.secondRun.add(new LedgerEntry.FailedBatch(71, 0, 3, "expired"));

        assertBroken(Rule.LIVENESS, "batch 3 of session 0 of broker 1 was given up (expired)");
    }

    @Test
    void shouldFindABatchThatTheNextRunHasLost() {
        history.firstRun.add(new LedgerEntry.SubmittedBatch(51, 0, 3, List.of(sell(3))));
        change(history.secondRun, 0, new LedgerEntry.ProgramStart(55, 0, 4, 3));

        assertBroken(Rule.LIVENESS, "batch 3 of session 0 of broker 1 was submitted and is in no block");
    }

    /** The second run begins with it, and was ended before it submitted anything. */
    @Test
    void shouldNotAskForABatchThatTheOutboxOfAKilledProgramDidNotHold() {
        history.firstRun.add(new LedgerEntry.SubmittedBatch(51, 0, 3, List.of(sell(3))));

        assertThat(history.violations()).isEmpty();
    }

    /** An empty outbox does not say in which session the program was. */
    @Test
    void shouldNotAskForBatchesOfASessionThatTheOutboxNeverHeld() {
        history.otherBroker.clear();
        history.otherBroker.add(new LedgerEntry.ProgramStart(0, 1, 1, 1));
        history.otherBroker.add(new LedgerEntry.SubmittedBatch(1, 1, 1, List.of(buy())));
        history.otherBroker.addAll(new SampleHistory().otherBroker);

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void shouldFindAReceiptOfAnotherPlace() {
        change(history.secondRun, 1, new LedgerEntry.Acknowledgement(60, 0, 2, 3, 1, SampleHistory.HASH));

        assertBroken(Rule.SAME_PLACE, "acknowledged at 3/1");
    }

    @Test
    void shouldFindAReceiptOfAnotherBlock() {
        change(history.secondRun, 1, new LedgerEntry.Acknowledgement(60, 0, 2, 3, 0, "bb"));

        assertBroken(Rule.SAME_PLACE, "of block bb");
    }

    @Test
    void shouldFindABatchThatNobodySubmitted() {
        history.chain.add(new ChainBatch(
                new BatchPlace(4, 0),
                new BatchName(1, 0, 3),
                SampleHistory.HASH,
                SampleHistory.VALID_UNTIL,
                List.of(sell(3))));

        assertBroken(Rule.SAME_CONTENT, "was never submitted");
    }

    @Test
    void shouldFindABatchOfAnotherContent() {
        ChainBatch first = history.chain.get(0);
        change(
                history.chain,
                0,
                new ChainBatch(
                        first.place(),
                        first.name(),
                        first.blockHash(),
                        first.validUntilBlock(),
                        List.of(Order.limit(1, 1, 1, Side.SELL, 100, 60))));

        assertBroken(Rule.SAME_CONTENT, "other orders");
    }

    @Test
    void shouldFindAnOrderThatIsExecutedTwice() {
        ChainBatch first = history.chain.get(0);
        history.chain.add(at(new BatchPlace(4, 0), first));
        history.reports.add(report(1, 4, 0, 4, first.orders().get(0), ExecType.NEW, OrdStatus.NEW, 0, 0, 50));

        assertBroken(Rule.EXACTLY_ONCE, "is a copy, and is executed");
    }

    @Test
    void shouldTakeACopyThatTheEngineRefuses() {
        ChainBatch first = history.chain.get(0);
        history.chain.add(at(new BatchPlace(4, 0), first));
        history.reports.add(
                refused(report(1, 4, 0, 4, first.orders().get(0), ExecType.REJECTED, OrdStatus.REJECTED, 0, 0, 0)));

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void shouldFindAFirstOrderThatIsRefusedAsACopy() {
        change(
                history.reports,
                0,
                refused(report(1, 1, 0, 1, sell(1), ExecType.REJECTED, OrdStatus.REJECTED, 0, 0, 0)));

        assertBroken(Rule.EXACTLY_ONCE, "refused as a duplicate, and is the first");
    }

    @Test
    void shouldFindANewOrderThatIsRefusedBeforeItsBatchExpires() {
        ExecutionReport refusal = report(1, 1, 0, 1, sell(1), ExecType.REJECTED, OrdStatus.REJECTED, 0, 0, 0);
        change(history.reports, 0, refused(refusal, RejectReason.BATCH_EXPIRED));

        assertBroken(
                Rule.EXACTLY_ONCE, "entry 0 of batch 1 of session 0 of broker 1 at 1/0 is refused without a cause: ");
    }

    @Test
    void shouldFindANewOrderThatIsRefusedByALimitThatTheLoadKeeps() {
        ExecutionReport refusal = report(1, 1, 0, 1, sell(1), ExecType.REJECTED, OrdStatus.REJECTED, 0, 0, 0);
        change(history.reports, 0, refused(refusal, RejectReason.LIVE_ORDER_QUOTA));

        assertBroken(Rule.EXACTLY_ONCE, "is refused without a cause: ");
    }

    @Test
    void shouldFindACancelThatIsRefusedWithoutACause() {
        change(history.reports, 2, refusal(CANCEL, RejectReason.BROKER_REMOVED, 30, 20));

        assertBroken(Rule.EXACTLY_ONCE, "is refused without a cause: ");
    }

    @Test
    void shouldFindALiveOrderThatIsCalledUnknown() {
        change(history.reports, 2, refusal(CANCEL, RejectReason.UNKNOWN_ORDER, 0, 0));

        assertBroken(Rule.ORDER_LIFE, "a live order is called unknown");
    }

    @Test
    void shouldTakeABatchThatIsRefusedAfterItsLastBlock() {
        expireLast();
        change(history.reports, 2, refusal(CANCEL, RejectReason.BATCH_EXPIRED, 0, 0));
        change(history.secondRun, 2, new LedgerEntry.SeenReport(65, history.reports.get(2)));

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void shouldFindABatchThatIsExecutedAfterItsLastBlock() {
        expireLast();

        assertBroken(Rule.EXACTLY_ONCE, "is after block 2, its last, and is executed");
    }

    @Test
    void shouldTakeAReplaceBelowWhatIsFilled() {
        replaceLast(30);
        change(history.secondRun, 2, new LedgerEntry.SeenReport(65, history.reports.get(2)));

        assertThat(history.violations()).isEmpty();
    }

    @Test
    void shouldFindAReplaceAboveWhatIsFilledThatIsCalledTooLate() {
        replaceLast(31);

        assertBroken(Rule.EXACTLY_ONCE, "is refused without a cause: ");
    }

    @Test
    void shouldFindAFillThatOnlyTheRefusalOfAReplaceNames() {
        replaceLast(30);
        change(history.reports, 2, history.reports.get(2).toBuilder().cumQty(40).build());

        assertBroken(Rule.ORDER_LIFE, "expected the state of ");
    }

    /** Lets the last batch be after its last block. */
    private void expireLast() {
        ChainBatch last = history.chain.get(2);
        change(history.chain, 2, new ChainBatch(last.place(), last.name(), last.blockHash(), 2, last.orders()));
    }

    /** Has the last batch replace its order, of which 30 are filled, in place of the cancel; it comes too late. */
    private void replaceLast(long quantity) {
        Order replace = Order.replace(2, 1, 1, 1, Side.SELL, 100, quantity);
        ChainBatch last = history.chain.get(2);
        change(
                history.chain,
                2,
                new ChainBatch(last.place(), last.name(), last.blockHash(), last.validUntilBlock(), List.of(replace)));
        change(history.firstRun, 5, new LedgerEntry.SubmittedBatch(50, 0, 2, List.of(replace)));
        change(history.reports, 2, refusal(replace, RejectReason.TOO_LATE, 30, 20));
    }

    @Test
    void shouldFindAnOrderWithoutAnAnswer() {
        history.reports.remove(2);
        history.secondRun.remove(2);

        assertBroken(Rule.EXACTLY_ONCE, "has no answer");
    }

    @Test
    void shouldFindAGapInTheReports() {
        history.otherReports.remove(0);

        assertBroken(Rule.REPORT_ORDER, "report 2 where 1 is expected");
    }

    @Test
    void shouldFindReportsThatWereSeenInAnotherOrder() {
        LedgerEntry first = history.otherBroker.get(2);
        change(history.otherBroker, 2, history.otherBroker.get(3));
        change(history.otherBroker, 3, first);

        assertBroken(Rule.REPORT_ORDER, "saw report 2 where 1 is expected");
    }

    @Test
    void shouldFindReportsInAnotherOrderThanTheChain() {
        ExecutionReport fill = history.reports.get(1);
        ExecutionReport early =
                report(1, 0, 0, 2, sell(1), ExecType.TRADE, OrdStatus.PARTIALLY_FILLED, fill.lastQty(), 30, 20);
        change(history.reports, 1, early);

        assertBroken(Rule.REPORT_ORDER, "is of an earlier place");
    }

    @Test
    void shouldFindAReportThatChangedAfterItWasSeen() {
        change(
                history.otherBroker,
                3,
                new LedgerEntry.SeenReport(39, report(2, 2, 0, 2, buy(), ExecType.TRADE, OrdStatus.FILLED, 29, 29, 1)));

        assertBroken(Rule.STABLE_REPORTS, "which is now");
    }

    @Test
    void shouldFindAReportThatExistsNoMore() {
        history.secondRun.add(
                new LedgerEntry.SeenReport(70, report(1, 3, 0, 4, sell(5), ExecType.NEW, OrdStatus.NEW, 0, 0, 50)));

        assertBroken(Rule.STABLE_REPORTS, "saw report 4, of which there are 3");
    }

    /** That they could not be read is a finding by itself. */
    @Test
    void shouldNotCompareReportsThatCouldNotBeRead() {
        history.areReportsRead = false;

        assertThat(history.violations()).isEmpty();
    }

    /** A stale read: after a fill the order is shown as it was before. */
    @Test
    void shouldFindAStateThatGoesBack() {
        change(
                history.reports,
                2,
                report(
                        1,
                        3,
                        0,
                        3,
                        Order.cancel(2, 1, 1, 1, Side.SELL),
                        ExecType.CANCELED,
                        OrdStatus.CANCELED,
                        0,
                        0,
                        0));

        assertBroken(Rule.ORDER_LIFE, "expected the end of");
    }

    @Test
    void shouldFindAFillOfAnOrderThatHasEnded() {
        history.otherReports.add(report(2, 3, 0, 3, buy(), ExecType.TRADE, OrdStatus.FILLED, 5, 35, 0));

        assertBroken(Rule.ORDER_LIFE, "does not live trades");
    }

    @Test
    void shouldFindAFillOfTheWrongQuantity() {
        change(history.reports, 1, report(1, 2, 0, 2, sell(1), ExecType.TRADE, OrdStatus.PARTIALLY_FILLED, 30, 40, 10));

        assertBroken(Rule.ORDER_LIFE, "expected filled 30, open 20");
    }

    @Test
    void shouldFindATradeWithoutItsOtherSide() {
        history.otherReports.remove(1);

        assertBroken(Rule.TRADE_SIDES, "trade 1 has the fills");
    }

    @Test
    void shouldFindATradeWhoseSidesDiffer() {
        change(history.otherReports, 1, report(2, 2, 0, 2, buy(), ExecType.TRADE, OrdStatus.FILLED, 20, 20, 10));

        assertBroken(Rule.TRADE_SIDES, "trade 1 has the fills");
    }

    /** Broker 2 began after broker 1 had its receipt; the chain has them the other way round. */
    @Test
    void shouldFindAnOrderOfTheChainAgainstRealTime() {
        ChainBatch first = history.chain.get(0);
        ChainBatch second = history.chain.get(1);
        change(history.chain, 0, at(first.place(), second));
        change(history.chain, 1, at(second.place(), first));

        assertBroken(
                Rule.REAL_TIME, "before the submission of batch 1 of session 0 of broker 2 began, which is at 1/0");
    }

    @Test
    void shouldFindAReceiptFromTheFuture() {
        change(history.firstRun, 1, new LedgerEntry.SubmittedBatch(21, 0, 1, List.of(sell(1))));

        assertBroken(Rule.REAL_TIME, "a receipt was seen 1 ns before");
    }

    /** Broker 1 sees the fill that an order of broker 2 caused before broker 2 submitted it. */
    @Test
    void shouldFindAReportOfAnOrderThatIsNotSubmittedYet() {
        change(history.firstRun, 4, new LedgerEntry.SeenReport(29, history.reports.get(1)));

        assertBroken(Rule.REAL_TIME, "report 2 of broker 1 was seen 1 ns before");
    }

    private void assertBroken(Rule rule, String facts) {
        assertThat(history.violations())
                .filteredOn(violation -> violation.rule() == rule)
                .extracting(Violation::facts)
                .anySatisfy(text -> assertThat(text).contains(facts));
    }

    private static ChainBatch at(BatchPlace place, ChainBatch batch) {
        return new ChainBatch(place, batch.name(), batch.blockHash(), batch.validUntilBlock(), batch.orders());
    }

    /** Returns the answer to a cancel, or to a replace, of broker 1 in block 3. */
    private static ExecutionReport refusal(Order order, RejectReason reason, long cumQty, long leavesQty) {
        OrdStatus status = cumQty == 0 ? OrdStatus.REJECTED : OrdStatus.PARTIALLY_FILLED;
        return refused(report(1, 3, 0, 3, order, ExecType.CANCEL_REJECT, status, 0, cumQty, leavesQty), reason)
                .toBuilder()
                .action(order.action())
                .build();
    }

    private static ExecutionReport refused(ExecutionReport r) {
        return refused(r, RejectReason.BATCH_DUPLICATE);
    }

    private static ExecutionReport refused(ExecutionReport r, RejectReason reason) {
        return r.toBuilder().rejectReason(reason).build();
    }

    private static Order sell(long clOrdId) {
        return Order.limit(clOrdId, 1, 1, Side.SELL, 100, 50);
    }

    private static Order buy() {
        return Order.limit(1, 2, 1, Side.BUY, 101, 30);
    }
}
