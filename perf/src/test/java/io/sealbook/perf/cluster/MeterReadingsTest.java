package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MeterReadingsTest {
    private static final String TEXT = """
            # HELP sealbook_node_block_phase_seconds What takes the time of a block?
            # TYPE sealbook_node_block_phase_seconds summary
            sealbook_node_block_phase_seconds{phase="packing",quantile="0.5"} 0.0
            sealbook_node_block_phase_seconds_count{phase="packing"} 12
            sealbook_node_block_phase_seconds_sum{phase="packing"} 1.5E-2

            sealbook_node_view NaN
            """;

    @Test
    void shouldReadSeriesByNameAndLabels() {
        MeterReadings readings = MeterReadings.parse(TEXT);

        assertThat(readings.of("sealbook_node_block_phase_seconds_count{phase=\"packing\"}"))
                .isEqualTo(12);
        assertThat(readings.of("sealbook_node_block_phase_seconds_sum{phase=\"packing\"}"))
                .isEqualTo(0.015);
        assertThat(readings.of("sealbook_node_view")).isNaN();
        assertThatThrownBy(() -> readings.of("sealbook_node_block_phase_seconds_count"))
                .hasMessageContaining("no series sealbook_node_block_phase_seconds_count");
    }

    @Test
    void shouldReturnHowMuchASeriesGrew() {
        MeterReadings before = MeterReadings.parse("a_total 3.0\n");
        MeterReadings after = MeterReadings.parse("a_total 10.0\n");

        assertThat(after.since(before, "a_total")).isEqualTo(7);
    }
}
