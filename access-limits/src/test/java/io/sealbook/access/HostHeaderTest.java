package io.sealbook.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostHeaderTest {
    private final HostHeader host = new HostHeader("node0.internal");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:80",
                "localhost.evil.example",
                "1.2.3.4.evil.example",
                "node0.internal.evil.example",
                "127.0.0.1:80:80",
                "[evil.example]",
                ""
            })
    void shouldRefuseOtherHosts(String header) {
        assertThat(host.isForeign(header)).isTrue();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1:8080",
                "localhost:8080",
                "LOCALHOST",
                "[::1]:8080",
                "10.1.2.3",
                "Node0.internal:7104"
            })
    void shouldTakeThisHost(String header) {
        assertThat(host.isForeign(header)).isFalse();
    }
}
