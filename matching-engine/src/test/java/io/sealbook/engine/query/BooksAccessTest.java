package io.sealbook.engine.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.engine.persistence.BooksOfRecord;
import io.sealbook.engine.persistence.TestDatabase;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

class BooksAccessTest {
    private static final int NO_WAIT = 0;

    private final BooksOfRecord database = TestDatabase.books(TestDatabase.database("places"));

    /** The thread that fills the database takes the last connection. */
    @Test
    void shouldAskNoMoreQuestionsAtOnceThanThereAreConnectionsForThem() {
        BooksAccess books = new BooksAccess(() -> Optional.of(database), true, 2, NO_WAIT);

        assertThat(books.<Integer>query(first -> books.query(second -> {
                    assertThat(books.ask(third -> Optional.of(3))).isEmpty();
                    assertThatExceptionOfType(ResponseStatusException.class)
                            .isThrownBy(() -> books.query(third -> 3))
                            .satisfies(refusal ->
                                    assertThat(refusal.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE));
                    return 2;
                })))
                .isEqualTo(2);
        assertThat(books.<Integer>ask(first -> books.ask(second -> Optional.of(2))))
                .contains(2);
    }
}
