package io.sealbook.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.chaos.fault.FaultEvent;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.ledger.LedgerEntry;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LoadTimelineTest {
    private static final long MS = 1_000_000;
    private static final Offset<Double> NEARLY = Offset.offset(1e-6);

    /** Receipts at 0, 100 and 200 ms, then none until 900 ms; the fault is from 210 to 400 ms. */
    private final LoadTimeline timeline = new LoadTimeline(
            Map.of(
                    1,
                    List.of(
                            List.of(receipt(0, 1, 1), receipt(100, 2, 2), receipt(200, 3, 3)),
                            // Of a block that was under way, and again what the first run of the program saw.
                            List.of(receipt(220, 4, 3), receipt(300, 2, 2), receipt(900, 5, 4), receipt(1_000, 6, 5)))),
            List.of(
                    new FaultEvent(FaultKind.KILL, "node 0", 210 * MS, 400 * MS, true, 600 * MS),
                    new FaultEvent(FaultKind.FLIP, "node 1", 220 * MS, 400 * MS, false, 600 * MS)),
            210 * MS,
            400 * MS);

    @Test
    void shouldMeasureToTheFirstBlockAfterThoseThatWereSeen() {
        LoadTimeline.Recovery recovery = timeline.toNextBlock().get(FaultKind.KILL);

        assertThat(recovery.faults()).isEqualTo(1);
        assertThat(recovery.worstMs()).isCloseTo(690, NEARLY);
    }

    @Test
    void shouldMeasureTheLongestTimeWithoutAReceipt() {
        assertThat(timeline.longestGaps().get(FaultKind.KILL).worstMs()).isCloseTo(680, NEARLY);
    }

    @Test
    void shouldNotCountAFaultThatFoundNothingToStrike() {
        assertThat(timeline.longestGaps()).containsOnlyKeys(FaultKind.KILL);
        assertThat(timeline.toNextBlock()).containsOnlyKeys(FaultKind.KILL);
    }

    @Test
    void shouldCountEachBatchOnceInItsTime() {
        assertThat(timeline.ordersPerSecondBefore()).isCloseTo(30 / 0.21, NEARLY);
        assertThat(timeline.ordersPerSecondDuring()).isCloseTo(10 / 0.19, NEARLY);
        assertThat(timeline.ordersPerSecondAfter()).isCloseTo(10 / 0.6, NEARLY);
    }

    @Test
    void shouldCompareTheOrdersUnderALieWithThoseBefore() {
        LoadTimeline lied = new LoadTimeline(
                Map.of(1, List.of(List.of(receipt(0, 1, 1), receipt(100, 2, 2), receipt(300, 3, 3)))),
                List.of(
                        new FaultEvent(FaultKind.BYZANTINE, "node 0, junk", 200 * MS, 400 * MS, true, 400 * MS),
                        new FaultEvent(FaultKind.BYZANTINE, "node 0, junk", 400 * MS, 600 * MS, true, 600 * MS),
                        new FaultEvent(FaultKind.BYZANTINE, "node 0, slow", 400 * MS, 600 * MS, false, 600 * MS)),
                200 * MS,
                600 * MS);

        // One batch in 400 ms, two in the 200 ms before.
        assertThat(lied.sharesUnderLies()).containsOnlyKeys("node 0, junk");
        assertThat(lied.sharesUnderLies().get("node 0, junk")).isCloseTo(0.25, NEARLY);
    }

    @Test
    void shouldCompareWithTheOrdersAfterwardsIfTheyAreMore() {
        LoadTimeline lied = new LoadTimeline(
                Map.of(
                        1,
                        List.of(List.of(
                                receipt(0, 1, 1),
                                receipt(300, 2, 2),
                                receipt(450, 3, 3),
                                receipt(500, 4, 4),
                                receipt(600, 5, 5)))),
                List.of(new FaultEvent(FaultKind.BYZANTINE, "node 0, junk", 200 * MS, 400 * MS, true, 400 * MS)),
                200 * MS,
                400 * MS);

        // One batch in 200 ms, as before; two in the 200 ms afterwards.
        assertThat(lied.sharesUnderLies().get("node 0, junk")).isCloseTo(0.5, NEARLY);
    }

    @Test
    void shouldCompareWithNothingIfNoOrdersCameBefore() {
        LoadTimeline lied = new LoadTimeline(
                Map.of(1, List.of(List.of(receipt(300, 1, 1)))),
                List.of(new FaultEvent(FaultKind.BYZANTINE, "node 0, junk", 200 * MS, 400 * MS, true, 400 * MS)),
                200 * MS,
                400 * MS);

        assertThat(lied.sharesUnderLies()).isEmpty();
    }

    private static LedgerEntry receipt(long timeMs, long number, long block) {
        return new LedgerEntry.Acknowledgement(timeMs * MS, 0, number, block, 0, "aa");
    }
}
