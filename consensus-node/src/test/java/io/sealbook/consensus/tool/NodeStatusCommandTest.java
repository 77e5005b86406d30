package io.sealbook.consensus.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeStatusCommandTest {
    /** No certificate has the name 0.0.0.0. */
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, localhost",
        "::, localhost",
        "127.0.0.1, 127.0.0.1",
        "localhost, localhost",
        "::1, [0:0:0:0:0:0:0:1]"
    })
    void shouldReachAFollowerWhereItListens(String bindAddress, String expected) throws IOException {
        assertThat(NodeStatusCommand.reachable(bindAddress)).isEqualTo(expected);
    }
}
