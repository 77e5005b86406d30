package io.sealbook.engine.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockFacts;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockWindow;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.tls.role.Caller;
import io.sealbook.tls.role.Role;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ResponseStatusException;

@Timeout(300)
class BlockHistoryTest {
    private static final long NO_WAIT = 0;
    private static final int BLOCKS_PER_SEGMENT = 2;
    private static final int PER_BATCH = 512;
    private static final long CANCEL_ID = 1_000_000;
    /** Bytes before the index of a segment, and of one entry of it. */
    private static final int SEGMENT_HEAD = 96;

    private static final int INDEX_ENTRY = 32;

    @TempDir
    Path directory;

    private BlockHistory history;

    @BeforeEach
    void writeBlocks() {
        history = new BlockHistory(directory, new EngineProperties.History(1 << 20), Thread::currentThread, NO_WAIT);
        TestFlow flow = new TestFlow(3);
        try (BlockArchive archive =
                BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, BLOCKS_PER_SEGMENT, Durability.PROCESS))) {
            for (int i = 1; i <= 5; i++) {
                archive.append(TestNode.build(i, archive.lastHash(), flow.batch(20)));
            }
        }
    }

    @Test
    void shouldRefuseAThirdQuestionWhileTwoAreAnswered() throws InterruptedException, ExecutionException {
        CountDownLatch begun = new CountDownLatch(BlockHistory.QUESTIONS_MAX);
        CountDownLatch end = new CountDownLatch(1);
        try (ExecutorService readers = Executors.newCachedThreadPool()) {
            List<Future<Long>> questions = new ArrayList<>();
            for (int i = 0; i < BlockHistory.QUESTIONS_MAX; i++) {
                questions.add(readers.submit(() -> history.ask(blocks -> {
                    begun.countDown();
                    await(end);
                    return blocks.lastSequence();
                })));
            }
            begun.await();

            assertThatExceptionOfType(ErrorResponseException.class)
                    .isThrownBy(() -> history.ask(blocks -> 0))
                    .satisfies(refusal -> {
                        assertThat(refusal.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
                        assertThat(refusal.getBody().getDetail())
                                .isEqualTo("2 questions to the blocks are being answered");
                        assertThat(refusal.getHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                                .isEqualTo("1");
                    });
            end.countDown();
            for (Future<Long> question : questions) {
                assertThat(question.get()).isEqualTo(5);
            }
        }
        assertThat(history.<Long>ask(blocks -> blocks.lastSequence())).isEqualTo(5);
    }

    @Test
    void shouldAnswerOneQuestionOfACallerAtATime() {
        BlockHistory ofOne =
                new BlockHistory(directory, new EngineProperties.History(1 << 20), () -> "broker 7", NO_WAIT);

        assertThatExceptionOfType(ErrorResponseException.class)
                .isThrownBy(() -> ofOne.ask(blocks -> ofOne.ask(again -> 0)))
                .satisfies(refusal -> assertThat(refusal.getBody().getDetail())
                        .isEqualTo("another question of broker 7 is being answered"));
        assertThat(ofOne.<Long>ask(blocks -> blocks.lastSequence())).isEqualTo(5);
    }

    /** Two brokers that asked again and again kept everybody else out. */
    @Test
    void shouldGiveAnAuditorThePlaceThatIsFreeNext() throws Exception {
        ThreadLocal<Object> caller = new ThreadLocal<>();
        BlockHistory shared = new BlockHistory(
                directory, new EngineProperties.History(1 << 20), caller::get, TimeUnit.DAYS.toMillis(1));
        CountDownLatch begun = new CountDownLatch(BlockHistory.QUESTIONS_MAX);
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch mayEndAll = new CountDownLatch(1);
        List<Object> answered = Collections.synchronizedList(new ArrayList<>());
        Function<Caller, Callable<Long>> question = asker -> () -> {
            caller.set(asker);
            return shared.ask(blocks -> {
                answered.add(asker);
                return blocks.lastSequence();
            });
        };
        Caller broker1 = new Caller(Role.BROKER, 1);
        FutureTask<Long> first = new FutureTask<>(() -> {
            caller.set(broker1);
            shared.ask(blocks -> hold(begun, mayEnd));
            return question.apply(broker1).call();
        });
        FutureTask<Long> second = new FutureTask<>(() -> {
            caller.set(new Caller(Role.BROKER, 2));
            return shared.ask(blocks -> hold(begun, mayEndAll));
        });
        FutureTask<Long> third = new FutureTask<>(question.apply(new Caller(Role.BROKER, 3)));
        FutureTask<Long> auditor = new FutureTask<>(question.apply(new Caller(Role.AUDITOR, 1)));

        Thread.ofPlatform().start(first);
        Thread.ofPlatform().start(second);
        begun.await();
        startAndWait(third);
        startAndWait(auditor);
        mayEnd.countDown();

        assertThat(auditor.get()).isEqualTo(5);
        assertThat(third.get()).isEqualTo(5);
        assertThat(first.get()).isEqualTo(5);
        assertThat(answered)
                .as("one place was free")
                .containsExactly(new Caller(Role.AUDITOR, 1), new Caller(Role.BROKER, 3), broker1);
        mayEndAll.countDown();
        assertThat(second.get()).isZero();
    }

    private static long hold(CountDownLatch begun, CountDownLatch mayEnd) {
        begun.countDown();
        await(mayEnd);
        return 0;
    }

    private static void startAndWait(FutureTask<Long> question) throws Exception {
        Thread asking = Thread.ofPlatform().start(question);
        Facts.await(
                "it waits for its turn", () -> question.isDone() || asking.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void shouldCountTheOpeningOfTheArchiveAgainstItsLimit() {
        int blockLength =
                history.ask(blocks -> blocks.facts(5).map(BlockFacts::length).orElseThrow());
        BlockHistory limited = new BlockHistory(
                directory, new EngineProperties.History(3L * blockLength), Thread::currentThread, NO_WAIT);

        OrderHistory found =
                limited.find(new OrderQuery(9, 9), new BlockWindow(null, null, null, null), Function.identity());

        // The segment of block 5 is open: opening reads it, the search reads it again, and block 4.
        assertThat(found.searchedFrom()).isEqualTo(4);
        assertThat(found.isComplete()).isFalse();
    }

    /** A broker sends one ClOrdID again and again: no answer may take the memory of all. */
    @Test
    void shouldAnswerInPartsIfAnOrderHasManyEntries() {
        int perBlock = HistorySearch.ENTRIES_MAX / 2 - 1;
        appendCancels(perBlock, perBlock, perBlock);

        OrderHistory newest = find(null);
        OrderHistory rest = find(newest.searchedFrom() - 1);

        assertThat(newest.entries().size()).isEqualTo(2 * perBlock);
        assertThat(newest.searchedFrom()).isEqualTo(7);
        assertThat(newest.isComplete()).isFalse();
        assertThat(rest.entries().size()).isEqualTo(perBlock);
        assertThat(rest.isComplete()).isTrue();
    }

    @Test
    void shouldReturnTheNewestEntriesOfABlockThatHasMore() {
        int more = 3 * HistorySearch.ENTRIES_MAX;
        appendCancels(10, more, 10);

        OrderHistory first = find(null);
        OrderHistory next = find(first.searchedFrom() - 1);
        OrderHistory last = find(next.searchedFrom() - 1);

        assertThat(first.entries().size()).as("the block before does not fit").isEqualTo(10);
        assertThat(next.entries().size()).isEqualTo(HistorySearch.ENTRIES_MAX);
        assertThat(next.entries().getLast().fields().quantityLots()).isEqualTo(more - 1);
        assertThat(next.searchedFrom()).isEqualTo(7);
        assertThat(next.isComplete()).isFalse();
        assertThat(next.entries().stream()
                        .map(ArchivedOrder::batchId)
                        .map(System::identityHashCode)
                        .distinct())
                .as("one id in memory for each batch")
                .hasSizeLessThanOrEqualTo(HistorySearch.ENTRIES_MAX / PER_BATCH + 1);
        assertThat(last.entries().size()).isEqualTo(10);
    }

    private OrderHistory find(Long to) {
        return history.find(new OrderQuery(1, CANCEL_ID), new BlockWindow(null, to, null, null), Function.identity());
    }

    /** Appends a block for each number: it has that many cancels, numbered by their quantities. */
    private void appendCancels(int... counts) {
        TestFlow flow = new TestFlow(4);
        try (BlockArchive archive =
                BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, BLOCKS_PER_SEGMENT, Durability.PROCESS))) {
            for (int count : counts) {
                List<byte[]> batches = new ArrayList<>();
                for (int from = 0; from < count; from += PER_BATCH) {
                    batches.add(flow.batch(
                            1,
                            IntStream.range(from, Math.min(count, from + PER_BATCH))
                                    .mapToObj(BlockHistoryTest::cancel)
                                    .toList()));
                }
                archive.append(
                        TestNode.build(archive.lastSequence() + 1, archive.lastHash(), batches.toArray(byte[][]::new)));
            }
        }
    }

    private static TestFlow.Entry cancel(int number) {
        return new TestFlow.Entry(
                CANCEL_ID, 7, 101, 1, Action.CANCEL, Side.BUY, OrdType.LIMIT, TimeInForce.GOOD_TILL_CANCEL, 0, number);
    }

    /** Of the index of a closed segment: the block is whole, and its place is not known. */
    @Test
    void shouldSearchBeyondADamagedIndexEntry() throws IOException {
        appendCancels(1, 1, 1, 1);
        Path segment = directory.resolve("segment-0000000000000000007.blocks");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[SEGMENT_HEAD + INDEX_ENTRY] ^= 1;
        Files.write(segment, bytes);

        OrderHistory found = find(null);

        assertThat(found.unreadable()).containsExactly(8L);
        assertThat(found.entries())
                .extracting(order -> order.place().sequence())
                .containsExactly(6L, 7L, 9L);
        assertThat(found.isComplete()).isTrue();
    }

    @Test
    void shouldNameADamagedBlockAndBeFreeAfterwards() throws IOException {
        damageFirstBlock();
        for (int i = 0; i <= BlockHistory.QUESTIONS_MAX; i++) {
            assertThatExceptionOfType(ResponseStatusException.class)
                    .isThrownBy(() -> history.proof(1, 0))
                    .satisfies(failure -> {
                        assertThat(failure.getStatusCode()).isEqualTo(HttpStatus.INTERNAL_SERVER_ERROR);
                        assertThat(failure.getReason())
                                .startsWith("block 1: ")
                                .contains("damaged", "segment-0000000000000000001", "CRC32C expected");
                    });
        }
    }

    private void damageFirstBlock() throws IOException {
        try (var files = Files.list(directory)) {
            Path first = files.filter(file -> file.getFileName().toString().endsWith("0001.blocks"))
                    .findFirst()
                    .orElseThrow();
            byte[] bytes = Files.readAllBytes(first);
            bytes[1_000] ^= 1;
            Files.write(first, bytes);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
