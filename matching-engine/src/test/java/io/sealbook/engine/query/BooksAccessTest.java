package io.sealbook.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.engine.persistence.BooksOfRecord;
import io.sealbook.engine.persistence.TestDatabase;
import io.sealbook.facts.Facts;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

class BooksAccessTest {
    private static final int NO_WAIT = 0;

    private final BooksOfRecord database = TestDatabase.books(TestDatabase.database("places"));

    private volatile Object asker = "one";

    /** The thread that fills the database takes the last connection. */
    @Test
    void shouldAskNoMoreQuestionsAtOnceThanThereAreConnectionsForThem() {
        BooksAccess books = access(2, NO_WAIT);

        assertThat(books.<Integer>query(first -> as(
                        "another",
                        () -> books.query(second -> as("third", () -> {
                            assertThat(books.ask(third -> Optional.of(3))).isEmpty();
                            assertThatExceptionOfType(ErrorResponseException.class)
                                    .isThrownBy(() -> books.query(third -> 3))
                                    .satisfies(refusal -> {
                                        assertThat(refusal.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
                                        assertThat(refusal.getHeaders().getFirst(HttpHeaders.RETRY_AFTER))
                                                .isEqualTo("1");
                                    });
                            return 2;
                        })))))
                .isEqualTo(2);
        assertThat(books.<Integer>ask(first -> as("another", () -> books.ask(second -> Optional.of(2)))))
                .contains(2);
    }

    /** Its questions may be slow, and come again at once. */
    @Test
    void shouldLeavePlacesOfOneCallerForOthers() {
        BooksAccess books = access(3, NO_WAIT);

        assertThat(books.<Integer>query(first -> {
                    assertThat(books.ask(second -> Optional.of(2))).isEmpty();
                    assertThatExceptionOfType(ErrorResponseException.class)
                            .isThrownBy(() -> books.query(second -> 2))
                            .withMessageContaining("one has 1 questions to it open, the most that one may have");
                    return as("another", () -> books.query(second -> 2));
                }))
                .isEqualTo(2);
    }

    @Test
    @Timeout(300)
    void shouldWaitForTheEarlierQuestionOfACaller() throws Exception {
        BooksAccess books = access(3, TimeUnit.DAYS.toMillis(1));
        CountDownLatch isAsked = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        FutureTask<Integer> first = new FutureTask<>(() -> books.query(database -> {
            isAsked.countDown();
            await(mayEnd);
            return 1;
        }));
        FutureTask<Integer> second = new FutureTask<>(() -> books.query(database -> 2));

        Thread.ofPlatform().start(first);
        isAsked.await();
        Thread waiting = Thread.ofPlatform().start(second);
        Facts.await("the second question waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        mayEnd.countDown();

        assertThat(first.get()).isEqualTo(1);
        assertThat(second.get()).isEqualTo(2);
    }

    private BooksAccess access(int questionsMax, long waitMs) {
        return new BooksAccess(() -> Optional.of(database), true, () -> asker, questionsMax, waitMs);
    }

    /** Asks as another caller. */
    private <T> T as(Object other, Supplier<T> question) {
        Object before = asker;
        asker = other;
        try {
            return question.get();
        } finally {
            asker = before;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
