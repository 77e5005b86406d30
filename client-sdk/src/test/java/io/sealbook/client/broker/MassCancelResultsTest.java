package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExpiredException;
import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.MassCancelFilter;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.RequestRefusedException;
import io.sealbook.client.cluster.Submission;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.OrderView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mass cancels and the time of a silent session, as a program sees them. */
class MassCancelResultsTest extends ClusterTest {
    private final List<ExecutionReport> heard = new ArrayList<>();
    private final MassCancelResults results = new MassCancelResults(heard::add);

    private static ExecutionReport report(long clOrdId, ExecType type, long leaves, long count, RejectReason reason) {
        return ExecutionReport.builder()
                .reportSequence(1)
                .blockSequence(1)
                .execId(1)
                .clOrdId(clOrdId)
                .leavesQty(leaves)
                .cumQty(count)
                .brokerId(1)
                .action(Action.MASS_CANCEL)
                .side(Side.NULL_VAL)
                .ordType(OrdType.NULL_VAL)
                .timeInForce(TimeInForce.NULL_VAL)
                .execType(type)
                .ordStatus(leaves == 0 ? OrdStatus.CANCELED : OrdStatus.NEW)
                .rejectReason(reason)
                .build();
    }

    @Test
    void shouldCompleteWithTheLastReportOfARequest() {
        CompletableFuture<Long> count = results.expect(7);

        results.onReport(report(7, ExecType.MASS_CANCEL_REPORT, 90, 10, RejectReason.NONE));
        results.onReport(report(8, ExecType.MASS_CANCEL_REPORT, 0, 5, RejectReason.NONE));
        assertThat(count).isNotDone();
        results.onReport(report(7, ExecType.MASS_CANCEL_REPORT, 0, 100, RejectReason.NONE));

        assertThat(count).isCompletedWithValue(100L);
        assertThat(heard).hasSize(3);
    }

    @Test
    void shouldFailWithARefusalAndWithTheEndOfTheClient() {
        CompletableFuture<Long> refused = results.expect(7);
        CompletableFuture<Long> left = results.expect(8);
        assertThatIllegalArgumentException().isThrownBy(() -> results.expect(8));

        results.onReport(report(7, ExecType.CANCEL_REJECT, 0, 0, RejectReason.MASS_CANCEL_LIMIT));
        results.failAll(new ClientClosedException(true, "closed", null));

        assertThat(refused.handle((count, failure) -> ((RequestRefusedException) failure).reason()))
                .isCompletedWithValue(RejectReason.MASS_CANCEL_LIMIT);
        assertThat(left).isCompletedExceptionally();
        results.expect(8);
    }

    /** The report that refuses the first batch comes after its exception, and after the next request. */
    @Test
    void shouldCompleteARequestThatIsMadeAgainAfterItsBatchHasExpired() {
        CompletableFuture<Long> expired = results.expect(7);
        results.fail(7, new ExpiredException(ExpiredException.Outcome.NOT_EXECUTED, 20, "no receipt"));
        CompletableFuture<Long> again = results.expect(7);

        results.onReport(report(7, ExecType.CANCEL_REJECT, 0, 0, RejectReason.BATCH_EXPIRED));

        assertThat(expired).isCompletedExceptionally();
        assertThat(again).isNotDone();
        results.onReport(report(7, ExecType.MASS_CANCEL_REPORT, 0, 500, RejectReason.NONE));
        assertThat(again).isCompletedWithValue(500L);
        assertThat(heard).hasSize(2);
    }

    @Test
    void shouldFailWithTheEndOfTheDelivery() {
        CompletableFuture<Long> left = results.expect(7);
        IllegalStateException cause = new IllegalStateException("no disk");

        results.onStopped(report(6, ExecType.MASS_CANCEL_REPORT, 0, 1, RejectReason.NONE), cause);

        for (CompletableFuture<Long> each : List.of(left, results.expect(7), results.expect(8))) {
            assertThat(each.handle((count, failure) -> failure))
                    .isCompletedWithValueMatching(failure -> failure instanceof ClientClosedException closed
                            && closed.isSent()
                            && closed.getCause() == cause);
        }
    }

    @Test
    void shouldSendARequestAfterTheListenerHasFailed() throws Exception {
        try (BrokerClient client = cluster.client()
                .executionReports(report -> {
                    throw new IllegalStateException("no disk");
                })
                .connect()) {
            CompletableFuture<Long> first = client.massCancel(5, MassCancelFilter.ALL);
            assertThatThrownBy(() -> first.get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClientClosedException.class);

            CompletableFuture<Long> second = client.massCancel(6, MassCancelFilter.ALL);
            assertThatThrownBy(() -> second.get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ClientClosedException.class);
            Facts.await("both requests", () -> cluster.executed().size() == 2);
        }
    }

    @Test
    void shouldSubmitTheFilterAndReturnTheCount() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(report -> {}).connect()) {
            MassCancelFilter filter = MassCancelFilter.ALL
                    .ofInstrument(1)
                    .ofSide(Side.SELL)
                    .ofAccount(1)
                    .ofSession(3);

            assertThat(client.massCancel(5, filter).get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                    .isZero();

            OrderView entry = lastEntry();
            assertThat(entry.actionCode()).isEqualTo((byte) 'q');
            assertThat(entry.clOrdId()).isEqualTo(5);
            assertThat(entry.instrumentId()).isEqualTo(1);
            assertThat(entry.sideCode()).isEqualTo((byte) '2');
            assertThat(entry.accountId()).isEqualTo(1);
            assertThat(entry.priceTicks()).isEqualTo(3);
            assertThat(entry.quantityLots()).isEqualTo(3);
            assertThat(entry.ordTypeCode()).isZero();
            assertThat(entry.timeInForceCode()).isZero();
            client.massCancel(5, MassCancelFilter.ALL).get(AWAIT_LIMIT_S, TimeUnit.SECONDS);
            assertThat(lastEntry().quantityLots()).isZero();
        }
    }

    /** After a rotation it is another one, though the program configures the same. */
    @Test
    void shouldFillInTheSessionOfTheClient() throws Exception {
        Signer rotated = Signers.generate(SignatureScheme.SM2_SM3);
        cluster.change(terms -> {
            terms.getBrokersBuilder(0).addKeysBuilder().setKeyId(2).setKey(TestCluster.key(rotated));
            return terms;
        });
        MassCancelFilter filter = MassCancelFilter.ALL.ofSession(7).ofOwnSession();
        try (BrokerClient client = cluster.client()
                .keyId(2)
                .signer(rotated)
                .session(3)
                .executionReports(report -> {})
                .connect()) {
            client.massCancel(5, filter.ofSide(Side.SELL)).get(AWAIT_LIMIT_S, TimeUnit.SECONDS);

            assertThat(lastEntry().priceTicks()).isEqualTo(TestCluster.SESSIONS_PER_KEY + 3);
            assertThat(lastEntry().quantityLots()).isEqualTo(2);
            client.massCancel(6, filter.ofSession(3)).get(AWAIT_LIMIT_S, TimeUnit.SECONDS);
            assertThat(lastEntry().priceTicks())
                    .as("the broker's number, of another program")
                    .isEqualTo(3);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.massCancel(5, filter))
                .withMessageContaining("own session");
    }

    @Test
    void shouldRefuseWhatCannotBeAndKeepNoResultOfIt() {
        try (BrokerClient client =
                cluster.client().executionReports(report -> {}).connect()) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> client.massCancel(5, MassCancelFilter.ALL.ofInstrument(9)))
                        .isInstanceOf(InvalidOrderException.class);
                assertThatThrownBy(() -> client.massCancel(5, MassCancelFilter.ALL.ofAccount(9)))
                        .isInstanceOf(InvalidOrderException.class);
            }
        }
        try (BrokerClient client = cluster.client().connect()) {
            assertThatThrownBy(() -> client.massCancel(5, MassCancelFilter.ALL))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    /** In an entry, 0 means all instruments. */
    @Test
    void shouldRefuseAFilterOfInstrumentZero() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MassCancelFilter.ALL.ofInstrument(0))
                .withMessageContaining("instrument 0");
    }

    @Test
    void shouldRenewTheTimeWhileNothingElseIsSentAndSwitchItOffAtTheEnd() throws Exception {
        List<Long> times = new CopyOnWriteArrayList<>();
        BrokerClient client = cluster.client()
                .executionReports(report -> {
                    if (report.action() == Action.CANCEL_AFTER) {
                        times.add(lastEntry().quantityLots());
                    }
                })
                .connect();

        await(client.cancelAfter(Duration.ofSeconds(1)));
        Facts.await("two renewals", () -> cluster.executed().size() >= 3);
        client.close();

        assertThat(lastEntry().actionCode()).isEqualTo((byte) 'A');
        assertThat(lastEntry().quantityLots()).isZero();
        assertThat(times).contains(100L);
    }

    @Test
    void shouldSendNothingAfterTheTimeIsSwitchedOff() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            await(client.cancelAfter(Duration.ofSeconds(1)));
            await(client.cancelAfter(Duration.ZERO));
            int sent = cluster.submissions().size();

            assertThat(lastEntry().quantityLots()).isZero();
            await(client.submit(order(1)));
            assertThat(cluster.submissions()).hasSize(sent + 1);
        }
        assertThat(lastEntry().actionCode()).isEqualTo((byte) 'D');
    }

    @Test
    void shouldSetTheTimeHoweverLateItsBlockComes() throws Exception {
        cluster.late(true);
        try (BrokerClient client =
                cluster.client().validFor(Duration.ofMillis(10)).connect()) {
            await(client.cancelAfter(Duration.ofHours(1)));
            assertThat(cluster.executed()).containsExactly(lastEntry().clOrdId());

            await(client.submit(order(1)));
            assertThat(cluster.executed()).as("an order is refused").doesNotContain(1L);

            await(client.cancelAfter(Duration.ZERO));
            assertThat(lastEntry().quantityLots()).isZero();
            assertThat(cluster.executed()).contains(lastEntry().clOrdId());
        }
    }

    /** A late order shows nothing about the program, and renews nothing. */
    @Test
    void shouldRenewTheTimeBesideOrdersThatComeTooLate() throws Exception {
        cluster.late(true);
        try (BrokerClient client =
                cluster.client().validFor(Duration.ofMillis(10)).connect()) {
            await(client.cancelAfter(Duration.ofSeconds(1)));

            AtomicLong ids = new AtomicLong();
            Facts.await("two renewals", () -> {
                await(client.submit(order(ids.incrementAndGet())));
                return cluster.executed().size() >= 3;
            });
        }
    }

    /** The program lives, and the chain has not heard that the time is off. */
    @Test
    void shouldRenewTheFormerTimeIfTheNextOneExpires() throws Exception {
        try (BrokerClient client = impatient().validityBlocks(5).connect()) {
            await(client.cancelAfter(Duration.ofSeconds(1)));
            submits(TestNode.Submits.DROPPING);
            CompletableFuture<Receipt> off = client.cancelAfter(Duration.ZERO);
            Facts.await("its validity has passed", () -> {
                cluster.commit(1);
                return off.isDone();
            });
            assertThat(failureOf(off)).isInstanceOf(ExpiredException.class);
            submits(TestNode.Submits.ADMITTING);

            Facts.await("a renewal", () -> lastEntry().quantityLots() == 100);
        }
    }

    /** What is submitted after the second one begins at the time that is on, not at that of the first one. */
    @Test
    void shouldRenewTheFormerTimeIfTheNextTwoExpire() throws Exception {
        try (BrokerClient client = impatient().validityBlocks(5).connect()) {
            await(client.cancelAfter(Duration.ofSeconds(1)));
            submits(TestNode.Submits.DROPPING);
            List<CompletableFuture<Receipt>> off =
                    List.of(client.cancelAfter(Duration.ZERO), client.cancelAfter(Duration.ZERO));
            Facts.await("their validity has passed", () -> {
                cluster.commit(1);
                return off.stream().allMatch(CompletableFuture::isDone);
            });
            assertThat(off).allMatch(CompletableFuture::isCompletedExceptionally);
            submits(TestNode.Submits.ADMITTING);

            Facts.await("a renewal", () -> lastEntry().quantityLots() == 100);
        }
    }

    /** The chain counts a time that the program was not confirmed, and of which it learns nothing more. */
    @Test
    void shouldSwitchTheTimeOffIfTheOutcomeOfTheFirstIsUnknown() throws Exception {
        for (int node : new int[] {0, 2, 3}) {
            cluster.receipts(node, TestNode.Receipts.SILENT);
        }
        try (BrokerClient client = impatient().validityBlocks(5).connect()) {
            CompletableFuture<Receipt> on = client.cancelAfter(Duration.ofSeconds(1));
            Facts.await("its validity has passed", () -> {
                cluster.commit(1);
                return on.isDone();
            });
            assertThat(failureOf(on))
                    .isInstanceOfSatisfying(
                            ExpiredException.class,
                            e -> assertThat(e.outcome()).isEqualTo(ExpiredException.Outcome.UNKNOWN));
            assertThat(cluster.executed()).as("the chain counts").isNotEmpty();
            for (int node : new int[] {0, 2, 3}) {
                cluster.receipts(node, TestNode.Receipts.TRUE);
            }

            Facts.await("the time is off", () -> {
                OrderView last = lastEntry();
                return last.quantityLots() == 0 && cluster.executed().contains(last.clOrdId());
            });
        }
    }

    /** Callers that wait for room take each place as it comes. */
    @Test
    void shouldRenewTheTimeWithoutRoomForABatch() throws Exception {
        try (BrokerClient client =
                cluster.client().validFor(Duration.ofMillis(10)).inFlightMax(1).connect()) {
            cluster.committing(false);
            CompletableFuture<Receipt> on = client.cancelAfter(Duration.ofSeconds(1));
            assertThat(client.trySubmit(order(1))).isEmpty();

            Facts.await("a renewal", () -> cluster.pendingCount() == 2);

            assertThat(on).isNotDone();
            assertThat(lastEntry().quantityLots()).isEqualTo(100);
            cluster.committing(true);
            await(on);
        }
    }

    @Test
    void shouldSwitchTheTimeOffWithoutRoomForABatch() throws Exception {
        BrokerClient client = cluster.client().inFlightMax(1).connect();
        await(client.cancelAfter(Duration.ofHours(1)));
        cluster.committing(false);
        client.submit(order(1));

        client.close();

        Facts.await("its last entry", () -> cluster.pendingCount() == 2);
        assertThat(lastEntry().actionCode()).isEqualTo((byte) 'A');
        assertThat(lastEntry().quantityLots()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.99S", "PT24H0.01S", "PT1.005S", "PT-1S", "P4000000D", "PT-2562047788015215H"})
    void shouldRefuseOtherTimes(String time) {
        assertThatIllegalArgumentException().isThrownBy(() -> SessionHeartbeat.units(Duration.parse(time)));
    }

    private void submits(TestNode.Submits value) {
        for (int node = 0; node < 4; node++) {
            cluster.submits(node, value);
        }
    }

    private OrderView lastEntry() {
        List<Submission> all = cluster.submissions();
        Submission last = all.get(all.size() - 1);
        return new OrderView().wrap(new BatchView().wrap(last.signedBatch().toByteArray()), 0);
    }
}
