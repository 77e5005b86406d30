package io.sealbook.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.ExecType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class ReportDeliveryTest {
    private static final ExecutionReport REPORT = SampleReports.report(1, ExecType.NEW);

    private final List<Object> events = new ArrayList<>();
    private final ReportDelivery delivery = new ReportDelivery(events::add);

    @Test
    void shouldHoldReportsBackUntilItIsOpen() throws Exception {
        List<Long> first = new CopyOnWriteArrayList<>();
        List<Long> second = new CopyOnWriteArrayList<>();
        Thread client = new Thread(() -> delivery.onReport(REPORT));
        client.start();
        Facts.await("the client's thread to wait", () -> client.getState() == Thread.State.WAITING);

        delivery.open(
                List.of(report -> first.add(report.reportSequence()), report -> second.add(report.blockSequence())));
        client.join();

        assertThat(first).containsExactly(1L);
        assertThat(second).containsExactly(7L);
    }

    @Test
    void shouldDeliverNothingIfTheApplicationEndsFirst() {
        CompletableFuture<Void> client = CompletableFuture.runAsync(() -> delivery.onReport(REPORT));

        delivery.abandon();

        assertThatThrownBy(client::join).hasCauseInstanceOf(CancellationException.class);
        delivery.onStopped(REPORT, new CancellationException());
        assertThat(delivery.stopped()).isEmpty();
        assertThat(events).isEmpty();
    }

    @Test
    void shouldReportTheFirstFailure() {
        List<RuntimeException> heard = new ArrayList<>();
        List<Long> later = new ArrayList<>();
        RuntimeException failure = new IllegalStateException("database is gone");
        delivery.open(List.of(
                new ExecutionReportListener() {
                    @Override
                    public void onReport(ExecutionReport report) {
                        throw failure;
                    }

                    @Override
                    public void onStopped(ExecutionReport unhandled, RuntimeException cause) {
                        heard.add(cause);
                    }
                },
                report -> later.add(report.reportSequence())));

        assertThatThrownBy(() -> delivery.onReport(REPORT)).isSameAs(failure);
        delivery.onStopped(REPORT, failure);

        assertThat(later).isEmpty();
        assertThat(heard).containsExactly(failure);
        assertThat(delivery.stopped()).contains(new ReportDeliveryStoppedEvent(REPORT, failure));
        assertThat(delivery.isStopped()).isTrue();
        assertThat(events).hasSize(1);
    }

    @Test
    void shouldReportThatEnginesDoNotKeepTheNextReport() {
        List<Long> heard = new ArrayList<>();
        delivery.open(List.of(new ExecutionReportListener() {
            @Override
            public void onReport(ExecutionReport report) {
                throw new AssertionError("no report comes");
            }

            @Override
            public void onLost(long reportSequence, String why) {
                heard.add(reportSequence);
            }
        }));

        delivery.onLost(5, "node 1 keeps reports from 9 on");

        assertThat(heard).containsExactly(5L);
        assertThat(delivery.isStopped()).isTrue();
        assertThat(events).containsExactly(new ReportsLostEvent(5, "node 1 keeps reports from 9 on"));
    }
}
