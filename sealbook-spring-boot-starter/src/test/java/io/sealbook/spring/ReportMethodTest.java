package io.sealbook.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ExecutionReport;
import io.sealbook.protocol.sbe.ExecType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Scope;
import org.springframework.core.annotation.Order;

class ReportMethodTest {
    private static final List<String> calls = new ArrayList<>();
    private static int made;

    @BeforeEach
    void forget() {
        calls.clear();
        made = 0;
    }

    static class Ledger {
        Ledger() {
            made++;
        }

        @OnExecutionReport
        void zAll(ExecutionReport report) {
            calls.add("all " + report.reportSequence());
        }

        @OnExecutionReport({ExecType.TRADE, ExecType.CANCELED})
        void ends(ExecutionReport report) {
            calls.add("end " + report.reportSequence());
        }

        @Order(1)
        @OnExecutionReport
        void first(ExecutionReport report) {
            calls.add("first " + report.reportSequence());
        }
    }

    static class Failing {
        @OnExecutionReport
        void fail(ExecutionReport report) throws Exception {
            throw new Exception("no room for " + report.reportSequence());
        }
    }

    static class TwoParameters {
        @OnExecutionReport
        void handle(ExecutionReport report, String more) {}
    }

    static class Answering {
        @OnExecutionReport
        boolean handle(ExecutionReport report) {
            return true;
        }
    }

    @Scope("prototype")
    static class Many {
        @OnExecutionReport
        void handle(ExecutionReport report) {}
    }

    @Test
    void shouldCallMethodsInTheirOrderForTheEventsThatTheyName() {
        try (var context = new AnnotationConfigApplicationContext(Ledger.class)) {
            deliver(context, SampleReports.report(1, ExecType.NEW));
            deliver(context, SampleReports.report(2, ExecType.TRADE));
        }

        assertThat(calls).containsExactly("first 1", "all 1", "first 2", "end 2", "all 2");
    }

    @Test
    void shouldMakeNoBeanToFindItsMethods() {
        try (var context = new AnnotationConfigApplicationContext()) {
            context.registerBean("ledger", Ledger.class, definition -> definition.setLazyInit(true));
            context.refresh();

            assertThat(ReportMethod.find(context.getBeanFactory())).hasSize(3);
            assertThat(made).isZero();
        }
    }

    @Test
    void shouldCallTheMethodsOfAProxy() {
        try (var context = new AnnotationConfigApplicationContext()) {
            context.registerBean("ledger", Ledger.class, () -> {
                ProxyFactory proxies = new ProxyFactory(new Ledger());
                proxies.setProxyTargetClass(true);
                return (Ledger) proxies.getProxy();
            });
            context.refresh();
            deliver(context, SampleReports.report(3, ExecType.NEW));
        }

        assertThat(calls).containsExactly("first 3", "all 3");
    }

    @Test
    void shouldPassOnWhatAMethodThrows() {
        try (var context = new AnnotationConfigApplicationContext(Failing.class)) {
            assertThatThrownBy(() -> deliver(context, SampleReports.report(4, ExecType.NEW)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage("no room for 4");
        }
    }

    @Test
    void shouldRefuseMethodsThatCannotBeCalled() {
        for (Class<?> wrong : List.of(TwoParameters.class, Answering.class, Many.class)) {
            try (var context = new AnnotationConfigApplicationContext(wrong)) {
                assertThatThrownBy(() -> ReportMethod.find(context.getBeanFactory()))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("@OnExecutionReport")
                        .hasMessageContaining(wrong.getSimpleName());
            }
        }
    }

    private static void deliver(AnnotationConfigApplicationContext context, ExecutionReport report) {
        ReportMethod.find(context.getBeanFactory())
                .forEach(each -> each.listener(context.getBeanFactory()).onReport(report));
    }
}
