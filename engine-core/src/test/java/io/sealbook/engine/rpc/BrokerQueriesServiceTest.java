package io.sealbook.engine.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.ReadLimit;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.ledger.LedgerRoom;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.InstrumentPosition;
import io.sealbook.protocol.v1.OpenOrders;
import io.sealbook.protocol.v1.OpenOrdersRequest;
import io.sealbook.protocol.v1.OrderTrace;
import io.sealbook.protocol.v1.Positions;
import io.sealbook.protocol.v1.PositionsRequest;
import io.sealbook.protocol.v1.TraceOrderRequest;
import io.sealbook.protocol.v1.TraceStep;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two engines of one chain answer the same as of a block, whatever else they were asked. */
@Timeout(300)
class BrokerQueriesServiceTest {
    private static final int BUYER = 1;
    private static final int SELLER = 2;

    @TempDir
    Path directory;

    private final TestFlow flow = new TestFlow(3);
    private TestNode node;
    private TestEngine engine;
    private BrokerQueriesService service;

    @BeforeEach
    void trade() throws Exception {
        node = TestNode.withArchive(directory, TestMarket.write(directory, 1).digest());
        node.commit(flow.batch(
                BUYER, List.of(Entry.limit(11, 101, 1, Side.BUY, 100, 50), Entry.limit(12, 102, 1, Side.BUY, 90, 5))));
        node.commit(flow.batch(SELLER, List.of(Entry.limit(21, 201, 1, Side.SELL, 100, 20))));
        node.commit(flow.batch(BUYER, List.of(Entry.replace(13, 11, 101, 1, Side.BUY, 95, 40))));
        node.commit(flow.batch(BUYER, List.of(Entry.cancel(14, 13, 101, 1, Side.BUY))));
        engine = new TestEngine(directory, Map.of());
        engine.await(4);
        service = open();
    }

    private BrokerQueriesService open() {
        return new BrokerQueriesService(
                new EngineDirectory(directory), engine.reports, engine.monitor, new LedgerRoom(() -> Long.MAX_VALUE));
    }

    @AfterEach
    void stop() {
        service.close();
        engine.close();
    }

    @Test
    void shouldTraceAnOrderUnderEachOfItsClOrdIds() throws Exception {
        OrderTrace trace = trace(BUYER, 11, 0);

        assertThat(trace.getAsOfBlock()).isEqualTo(4);
        assertThat(trace.getComplete()).isTrue();
        assertThat(trace.getStepsList().stream().map(BrokerQueriesServiceTest::brief))
                .containsExactly(
                        "entry D of block 1",
                        "report 0",
                        "report F",
                        "entry G of block 3",
                        "report 5",
                        "entry F of block 4",
                        "report 4");
        assertThat(trace(BUYER, 13, 0)).isEqualTo(trace);
        assertThat(trace(BUYER, 14, 0)).isEqualTo(trace);
        assertThat(trace.getSteps(0).getEntry().getPrice()).isEqualTo(100);
        assertThat(trace.getSteps(0).getEntry().getBatchId().size()).isEqualTo(32);
    }

    @Test
    void shouldTraceAsOfABlock() throws Exception {
        OrderTrace trace = trace(BUYER, 11, 2);

        assertThat(trace.getAsOfBlock()).isEqualTo(2);
        assertThat(trace.getStepsList().stream().map(BrokerQueriesServiceTest::brief))
                .containsExactly("entry D of block 1", "report 0", "report F");
        assertThat(trace(BUYER, 11, 9).getAsOfBlock()).as("not executed yet").isEqualTo(4);
        assertThat(trace(BUYER, 99, 0).getStepsList()).isEmpty();
    }

    @Test
    void shouldNotShowWhatIsAnotherBrokers() throws Exception {
        assertThat(trace(SELLER, 11, 0).getStepsList()).isEmpty();
        assertThat(trace(SELLER, 21, 0).getStepsList())
                .filteredOn(step -> step.hasReport())
                .allSatisfy(
                        step -> assertThat(fields(step.getReport()).brokerId()).isEqualTo(SELLER));
        assertThat(positions(SELLER, 101, 0).getPositionsList()).isEmpty();
    }

    @Test
    void shouldHaveOpenOrdersAndPositionsAsOfABlock() throws Exception {
        assertThat(orderIds(open(BUYER, 0, 1))).containsExactly(1L, 2L);
        assertThat(positions(BUYER, 101, 1).getPositionsList()).isEmpty();
        assertThat(positions(BUYER, 101, 2))
                .isEqualTo(Positions.newBuilder()
                        .setAsOfBlock(2)
                        .setReportSequence(3)
                        .addPositions(InstrumentPosition.newBuilder()
                                .setInstrumentId(1)
                                .setBoughtQuantity(20)
                                .setBoughtValue(2_000))
                        .build());
        OpenOrders orders = open(BUYER, 0, 0);

        assertThat(orderIds(orders)).containsExactly(2L);
        assertThat(orders.getAsOfBlock()).isEqualTo(4);
        assertThat(orders.getComplete()).isTrue();
        assertThat(open(BUYER, 2, 0).getReports().isEmpty()).isTrue();
        // Another engine that was asked for nothing before.
        try (BrokerQueriesService other = open()) {
            assertThat(OneAnswer.of(
                            OpenOrdersRequest.newBuilder()
                                    .setBrokerId(BUYER)
                                    .setAsOfBlock(4)
                                    .build(),
                            other::getOpenOrders))
                    .isEqualTo(orders);
        }
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertThatThrownBy(() -> trace(99, 11, 0)).hasMessage("NOT_FOUND: broker 99 is none of the chain");
        engine.monitor.fail(new IllegalStateException("planted"));
        assertThatThrownBy(() -> open(BUYER, 0, 0)).hasMessage("UNAVAILABLE: engine is FAILED");
    }

    /** An auditor reads every broker's data; it must not keep a broker from its own. */
    @Test
    void shouldTakeABrokersQuestionWhileAnAuditorAsksAboutIt() throws Exception {
        Context auditor = Context.current().withValue(ReadLimit.HOLDER, new Caller(Role.AUDITOR, 1));
        Context buyer = Context.current().withValue(ReadLimit.HOLDER, new Caller(Role.BROKER, BUYER));
        CountDownLatch release = new CountDownLatch(1);
        OneAnswer<String> refused = new OneAnswer<>();
        OneAnswer<String> own = new OneAnswer<>();
        try (BrokerQuestions questions = new BrokerQuestions()) {
            for (int i = 0; i < 4; i++) {
                auditor.run(() -> questions.answer(BUYER, new OneAnswer<>(), () -> awaited(release)));
            }
            auditor.run(() -> questions.answer(SELLER, refused, () -> "never"));
            buyer.run(() -> questions.answer(BUYER, own, () -> "own"));
            release.countDown();

            assertThatThrownBy(refused::get).hasMessageContaining("RESOURCE_EXHAUSTED: 4 questions of auditor 1 wait");
            assertThat(own.get()).isEqualTo("own");
        }
    }

    private static String awaited(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "answer";
    }

    @Test
    void shouldTakeFewQuestionsOfOneBrokerAtATime() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (BrokerQuestions questions = new BrokerQuestions()) {
            List<OneAnswer<String>> answers = new ArrayList<>();
            for (int i = 0; i <= BrokerQuestions.PER_CALLER_MAX; i++) {
                OneAnswer<String> answer = new OneAnswer<>();
                answers.add(answer);
                questions.answer(BUYER, answer, () -> awaited(release));
            }
            OneAnswer<String> ofOther = new OneAnswer<>();
            questions.answer(SELLER, ofOther, () -> "other");
            assertThatThrownBy(answers.getLast()::get)
                    .hasMessageContaining("RESOURCE_EXHAUSTED: 4 questions of broker 1");
            release.countDown();

            assertThat(answers.getFirst().get()).isEqualTo("answer");
            assertThat(ofOther.get()).isEqualTo("other");
            for (OneAnswer<String> answer : answers.subList(0, BrokerQuestions.PER_CALLER_MAX)) {
                assertThat(answer.get()).isEqualTo("answer");
            }
        }
    }

    /** The asker would wait for ever. */
    @Test
    void shouldAnswerAQuestionThatMeetsAnErrorOfTheVirtualMachine() throws Exception {
        OneAnswer<String> failed = new OneAnswer<>();
        OneAnswer<String> next = new OneAnswer<>();
        try (BrokerQuestions questions = new BrokerQuestions()) {
            questions.answer(BUYER, failed, () -> {
                throw new StackOverflowError();
            });
            questions.answer(BUYER, next, () -> "next");

            assertThat(next.get()).isEqualTo("next");
            assertThat(failed.whole).isCompletedExceptionally();
            assertThatThrownBy(failed::get).hasMessage("INTERNAL: the engine failed");
        }
    }

    private OrderTrace trace(int broker, long clOrdId, long block) throws Exception {
        return OneAnswer.of(
                TraceOrderRequest.newBuilder()
                        .setBrokerId(broker)
                        .setClOrdId(clOrdId)
                        .setAsOfBlock(block)
                        .build(),
                service::traceOrder);
    }

    private OpenOrders open(int broker, long after, long block) throws Exception {
        return OneAnswer.of(
                OpenOrdersRequest.newBuilder()
                        .setBrokerId(broker)
                        .setAfterOrderId(after)
                        .setAsOfBlock(block)
                        .build(),
                service::getOpenOrders);
    }

    private Positions positions(int broker, int account, long block) throws Exception {
        return OneAnswer.of(
                PositionsRequest.newBuilder()
                        .setBrokerId(broker)
                        .setAccountId(account)
                        .setAsOfBlock(block)
                        .build(),
                service::getPositions);
    }

    private static List<Long> orderIds(OpenOrders orders) {
        List<Long> ids = new ArrayList<>();
        for (int at = 0; at < orders.getReports().size(); at += ReportFields.MESSAGE_LENGTH) {
            ids.add(fields(orders.getReports().substring(at, at + ReportFields.MESSAGE_LENGTH))
                    .orderId());
        }
        return ids;
    }

    private static ReportFields fields(ByteString message) {
        return ReportFields.of(message.toByteArray());
    }

    private static String brief(TraceStep step) {
        return step.hasEntry()
                ? "entry " + (char) step.getEntry().getAction() + " of block "
                        + step.getEntry().getBlockSequence()
                : "report " + (char) fields(step.getReport()).execType();
    }

    /** One answer, or its failure. */
    private static final class OneAnswer<A> implements StreamObserver<A> {
        private final CompletableFuture<A> message = new CompletableFuture<>();
        private final CompletableFuture<A> whole = new CompletableFuture<>();

        static <Q, A> A of(Q request, BiConsumer<Q, StreamObserver<A>> method) throws Exception {
            OneAnswer<A> answer = new OneAnswer<>();
            method.accept(request, answer);
            return answer.get();
        }

        A get() throws Exception {
            try {
                return whole.get();
            } catch (ExecutionException e) {
                throw (StatusRuntimeException) e.getCause();
            }
        }

        @Override
        public void onNext(A value) {
            assertThat(message.complete(value)).as("one message").isTrue();
        }

        @Override
        public void onError(Throwable cause) {
            assertThat(Status.fromThrowable(cause).getDescription()).isNotNull();
            whole.completeExceptionally(cause);
        }

        @Override
        public void onCompleted() {
            whole.complete(message.join());
        }
    }
}
