package io.sealbook.node.payload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import org.junit.jupiter.api.Test;

class RecentIdsTest {
    private final RecentIds ids = new RecentIds(100, 3, 1);

    @Test
    void shouldNoteAnIdOnceWithinTheWindowAndAgainAfterIt() {
        assertThat(ids.note(id(1), 0)).isTrue();
        assertThat(ids.note(id(1), 99)).isFalse();
        assertThat(ids.note(id(1), 100)).isTrue();
        assertThat(ids.note(id(1), 150)).isFalse();
    }

    @Test
    void shouldLookForAnIdWithoutNotingIt() {
        assertThat(ids.isNoted(id(1), 0)).isFalse();
        ids.note(id(1), 0);

        assertThat(ids.isNoted(id(1), 99)).isTrue();
        assertThat(ids.isNoted(id(1), 100)).isFalse();
        assertThat(ids.isNoted(id(2), 1)).isFalse();
    }

    @Test
    void shouldForgetWhatDidNotComeAbout() {
        ids.note(id(1), 0);

        ids.forget(id(1));

        assertThat(ids.note(id(1), 1)).isTrue();
    }

    @Test
    void shouldForgetTheOldestBeyondItsBound() {
        for (int i = 1; i <= 4; i++) {
            assertThat(ids.note(id(i), i)).isTrue();
        }

        assertThat(ids.note(id(4), 5)).isFalse();
        assertThat(ids.note(id(1), 6)).isTrue();
    }

    private static Digest id(int number) {
        byte[] bytes = new byte[Digest.LENGTH];
        bytes[0] = (byte) number;
        return Digest.of(bytes);
    }
}
