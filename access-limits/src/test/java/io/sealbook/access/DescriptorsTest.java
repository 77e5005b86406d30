package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.access.Descriptors.Port;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorsTest {
    @ParameterizedTest
    @ValueSource(longs = {1_024, 4_096, 65_536, 1 << 30})
    void shouldLeaveDescriptorsForFilesWhateverAllPortsTake(long limit) {
        long sockets = Arrays.stream(Port.values())
                .mapToLong(port -> Descriptors.sockets(port, limit))
                .sum();

        assertThat(sockets).isLessThanOrEqualTo(limit - Descriptors.FILES);
        assertThat(Descriptors.sockets(Port.GATEWAY, limit)).isEqualTo((int) ((limit - Descriptors.FILES) / 2));
    }

    @Test
    void shouldOpenSomePortsWhereHardlyAnythingMayBeOpened() {
        assertThat(Descriptors.sockets(Port.ADMIN, 100)).isEqualTo(Descriptors.SOCKETS_MIN);
        assertThat(Descriptors.limit()).isPositive();
    }

    @Test
    void shouldDivideTheSocketsOfAPort() {
        assertThat(SocketPlaces.of(4_096, 100_000, true)).isEqualTo(new SocketPlaces(4_096, 128));
        assertThat(SocketPlaces.of(4_096, 384, true)).isEqualTo(new SocketPlaces(240, 48));
        assertThat(SocketPlaces.of(4_096, 384, true).all()).isEqualTo(384);
        assertThat(SocketPlaces.of(4_096, 384, false)).isEqualTo(new SocketPlaces(384, 0));
        assertThat(SocketPlaces.of(4_096, Descriptors.SOCKETS_MIN, true).all())
                .isLessThanOrEqualTo(Descriptors.SOCKETS_MIN);
        assertThat(SocketPlaces.of(10, 100_000, true).connectionsMax()).isEqualTo(10);
    }
}
