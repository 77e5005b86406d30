package io.sealbook.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.simulator.PrimaryPace.Outcome;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a primary may cost that is slow to all brokers alike, against a correct one of the same seed, and which correct
 * ones are kept. 200 batches per second come for 15 s; the half of the cap, after which a primary is judged, is 4 s.
 */
class PrimaryPaceTest {
    private static final long LOAD_NS = 15_000_000_000L;
    private static final long SEED = 1;
    private static final double NS_PER_MS = 1e6;

    private static Stream<PaceCase> replaced() {
        return Stream.of(PaceCase.values()).filter(pace -> pace.isFaulty() && pace != PaceCase.JUST_BELOW_THE_BOUND);
    }

    private static Stream<PaceCase> correct() {
        return Stream.of(PaceCase.values()).filter(pace -> !pace.isFaulty() && !pace.isOverloaded());
    }

    @ParameterizedTest
    @MethodSource("replaced")
    void shouldReplaceAPrimaryThatSlowsAllAlike(PaceCase pace) {
        Outcome fair = PrimaryPace.run(SEED, PaceCase.CORRECT, LOAD_NS);

        Outcome slow = PrimaryPace.run(SEED, pace, LOAD_NS);

        assertThat(slow.views()).isEqualTo(1);
        assertThat(slow.inBlocks()).as("after 15 s").isGreaterThan(fair.inBlocks() * 9 / 10);
        assertThat(slow.waitMaxNs() / NS_PER_MS).isLessThan(10_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"BLOCK_PER_450_MS", "BLOCK_PER_350_MS", "ONE_BATCH_PER_BLOCK"})
    void shouldShowWhatSuchAPrimaryCostsWithoutTheRule(PaceCase pace) {
        long without = PrimaryPace.inBlocksWithoutTheRule(SEED, pace, LOAD_NS);

        assertThat(without).isBetween(1L, PrimaryPace.run(SEED, pace, LOAD_NS).inBlocks() * 3 / 4);
    }

    @ParameterizedTest
    @MethodSource("correct")
    void shouldKeepACorrectPrimary(PaceCase pace) {
        Outcome outcome = PrimaryPace.run(SEED, pace, LOAD_NS);

        assertThat(outcome.views()).isZero();
        assertThat(outcome.inBlocks()).isGreaterThan(outcome.handedIn() * 9 / 10);
    }

    /**
     * What a proposal names does not wait for all that brokers have handed in. A primary asks for nothing that waits
     * for admission here: each copy more would wait there, too.
     */
    @ParameterizedTest
    @EnumSource(names = {"OVERLOAD", "UNEVEN_OVERLOAD"})
    void shouldKeepACorrectPrimaryThatIsOverloadedAsAllAre(PaceCase pace) {
        Outcome outcome = PrimaryPace.run(SEED, pace, LOAD_NS);

        assertThat(outcome.views()).isZero();
        assertThat(outcome.fetched()).isZero();
        assertThat(outcome.inBlocks()).isGreaterThan(1_500);
    }

    /** What came during the pause is in its queues. */
    @Test
    void shouldFetchNothingForThePausesOfThePrimary() {
        assertThat(PrimaryPace.run(SEED, PaceCase.PAUSES, LOAD_NS).fetched()).isZero();
    }

    /** Whether it is replaced or not: a full block of 16 per 240 ms at least. */
    @Test
    void shouldBoundWhatAPrimaryCostsJustBelowTheBound() {
        Outcome outcome = PrimaryPace.run(SEED, PaceCase.JUST_BELOW_THE_BOUND, LOAD_NS);

        assertThat(outcome.inBlocks()).isGreaterThan(15_000 / 240 * 16 * 9 / 10);
    }

    @Test
    void shouldPrintATable() {
        StringWriter out = new StringWriter();

        int exitCode = SimulatorTool.commandLine()
                .setOut(new PrintWriter(out))
                .execute("primary-pace", "--runs", "1", "--seconds", "1");

        assertThat(exitCode).isZero();
        assertThat(out.toString().lines())
                .hasSize(1 + PaceCase.values().length)
                .anyMatch(line -> line.contains("without"))
                .anyMatch(line -> line.contains("100.0%"));
    }
}
