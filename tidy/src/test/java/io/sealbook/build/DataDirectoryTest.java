package io.sealbook.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Maven passes its properties to tests, and not to the programs that it starts. */
class DataDirectoryTest {
    @ParameterizedTest
    @ValueSource(strings = {"perf", "tidy"})
    void shouldReachProgramsThatTheBuildStarts(String module) throws IOException {
        assertThat(Files.readString(Path.of("..", module, "pom.xml")))
                .contains("<argument>-Dsealbook.data=${sealbook.data}</argument>");
    }
}
