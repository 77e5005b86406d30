package io.sealbook.client.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpiredBatchesTest {
    private static final long OPEN = 6;

    private final ExpiredBatches batches = new ExpiredBatches(2, id -> id == OPEN);

    @Test
    void shouldKeepTheLastNotesAndReports() {
        for (long block = 1; block <= ExpiredBatches.KEPT_MAX + 1; block++) {
            assertThat(batches.refuse(7, block)).isTrue();
        }
        for (int i = 0; i < ExpiredBatches.KEPT_MAX; i++) {
            assertThat(batches.note(7, 0)).isFalse();
        }
        assertThat(batches.note(7, 0)).isTrue();
    }

    @Test
    void shouldForgetTheOldestIdBeyondTheBound() {
        batches.note(7, 20);
        batches.note(8, 20);
        batches.note(9, 20);

        assertThat(batches.refuse(8, 21)).isFalse();
        assertThat(batches.refuse(9, 21)).isFalse();
        assertThat(batches.refuse(7, 21)).isTrue();
    }

    @Test
    void shouldForgetNoIdOfAnOpenOrder() {
        batches.note(OPEN, 20);
        batches.note(7, 20);
        batches.note(8, 20);
        batches.note(9, 20);

        assertThat(batches.refuse(OPEN, 21)).isFalse();
    }

    @Test
    void shouldForgetAnIdWithItsLastPair() {
        batches.note(7, 20);
        batches.note(8, 20);
        batches.refuse(8, 21);
        batches.note(9, 20);

        assertThat(batches.refuse(7, 21)).isFalse();
    }
}
