package io.sealbook.consensus.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DescriptorsTest {
    @Test
    void shouldLeaveDescriptorsForFiles() {
        assertThat(Descriptors.connectionsMax(4_096, 1_048_576)).isEqualTo(4_096);
        assertThat(Descriptors.connectionsMax(4_096, 1_024)).isEqualTo(1_024 - Descriptors.RESERVED);
        assertThat(Descriptors.connectionsMax(4_096, 256)).isEqualTo(Descriptors.CONNECTIONS_MIN);
        assertThat(Descriptors.connectionsMax(10, 1_024)).isEqualTo(10);
        assertThat(Descriptors.limit()).isPositive();
    }
}
