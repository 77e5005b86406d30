package io.sealbook.node.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExpectedBlocksTest {
    private final ExpectedBlocks expected = new ExpectedBlocks();

    @Test
    void shouldTakeOneAnswerForEachRequestAndOnlyOfThePeerThatWasAsked() {
        expected.expect(1, 17);
        expected.expect(2, 33);

        assertThat(expected.take(1, 18)).as("another range").isFalse();
        assertThat(expected.take(2, 17)).as("another peer").isFalse();
        assertThat(expected.take(1, 17)).isTrue();
        assertThat(expected.take(1, 17)).as("twice").isFalse();
        assertThat(expected.take(2, 33)).isTrue();
    }

    @Test
    void shouldExpectARangeOfThePeerThatWasAskedLast() {
        expected.expect(1, 17);
        expected.expect(2, 17);

        assertThat(expected.take(1, 17)).isFalse();
        assertThat(expected.take(2, 17)).isTrue();
    }

    @Test
    void shouldForgetTheOldestRequestBeyondItsLimit() {
        for (int from = 0; from <= ExpectedBlocks.EXPECTED_MAX; from++) {
            expected.expect(1, from);
        }

        assertThat(expected.take(1, 0)).isFalse();
        assertThat(expected.take(1, 1)).isTrue();
        assertThat(expected.take(1, ExpectedBlocks.EXPECTED_MAX)).isTrue();
    }
}
