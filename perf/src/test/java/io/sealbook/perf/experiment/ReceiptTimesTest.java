package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ReceiptTimesTest {
    private final ReceiptTimes receipts = new ReceiptTimes();

    @Test
    void shouldFindTheEndOfTheLongestPause() {
        for (long time : new long[] {90, 104, 101, 350, 360, 395}) {
            receipts.add(time);
        }

        assertThat(receipts.endOfLongestPauseAfter(100)).isEqualTo(350);
    }

    @Test
    void shouldCountThePauseFromTheGivenTime() {
        receipts.add(10);
        receipts.add(140);
        receipts.add(160);

        assertThat(receipts.endOfLongestPauseAfter(130)).isEqualTo(160);
    }

    @Test
    void shouldRefuseToJudgeWithoutReceipts() {
        receipts.add(10);

        assertThatIllegalStateException().isThrownBy(() -> receipts.endOfLongestPauseAfter(10));
    }
}
