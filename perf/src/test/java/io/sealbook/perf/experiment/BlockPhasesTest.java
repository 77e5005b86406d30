package io.sealbook.perf.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sealbook.perf.cluster.MeterReadings;
import io.sealbook.perf.results.ResultRow;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BlockPhasesTest {
    private static final double EXACT = 1e-9;

    private final BlockPhases phases = BlockPhases.between(
            readings(100, 1_000, 1_000, 10, 40, 2, 8), readings(110, 1_500, 1_520, 10.010, 40.080, 2.002, 8.008));

    @Test
    void shouldShareTheLifeOfABlockAmongItsPhases() {
        assertThat(phases.blocks()).isEqualTo(10);
        assertThat(phases.packingMs()).isCloseTo(1, within(EXACT));
        assertThat(phases.agreementMs()).isCloseTo(8, within(EXACT));
        assertThat(phases.commitMs()).isCloseTo(0.2, within(EXACT));
        assertThat(phases.executionMs()).isCloseTo(0.8, within(EXACT));
        assertThat(phases.shares()).containsExactly(new double[] {10, 88, 2}, within(EXACT));
        assertThat(phases.decodedPerBatch()).isCloseTo(1.04, within(EXACT));
    }

    @Test
    void shouldPrintThemBesideThePapers() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        BlockPhases.print(List.of("10 orders per batch"), List.of(phases), new PrintStream(bytes, true));

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .containsPattern("10 orders per batch +10 .* 10\\.0% +88\\.0% +2\\.0% .*1\\.04")
                .containsPattern("source paper, table 1 .* 4\\.7% +90\\.6% +3\\.7%");
        assertThat(phases.addTo(ResultRow.of("x")).figures()).containsKeys("packingMs", "agreementPercent");
    }

    private static MeterReadings readings(double blocks, double batches, double decoded, double... sumsSeconds) {
        Map<String, Double> values = new HashMap<>(Map.of(
                "sealbook_node_committed_blocks_total", blocks,
                "sealbook_node_committed_batches_total", batches,
                "sealbook_node_decoded_batches_total", decoded));
        List<String> names = List.of("packing", "agreement", "commit", "execution");
        for (int i = 0; i < names.size(); i++) {
            String label = "{phase=\"" + names.get(i) + "\"}";
            values.put("sealbook_node_block_phase_seconds_sum" + label, sumsSeconds[i]);
            values.put("sealbook_node_block_phase_seconds_count" + label, blocks);
        }
        return new MeterReadings(values);
    }
}
