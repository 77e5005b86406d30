package io.sealbook.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineFileTest {
    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("engine.properties");
    }

    @Test
    void shouldShareTheFileWithASpringEngine() throws IOException {
        Files.writeString(file, """
                server.port=0
                sealbook.engine.reports.keep-blocks=7
                sealbook.engine.database.messages-max=100
                sealbook.engine.exit-on-failure=false
                """);

        assertThat(EngineFile.read(file, Map.of()).reports().keepBlocks()).isEqualTo(7);
        assertThat(EngineFile.read(file, Map.of("sealbook.engine.reports.keep-blocks", "8"))
                        .reports()
                        .keepBlocks())
                .isEqualTo(8);
    }

    /** The default deletes reports that the operator has set out to keep. */
    @Test
    void shouldRefuseAMisspeltKey() throws IOException {
        Files.writeString(file, "sealbook.engine.reports.keepBlocks=1000000000000\n");

        assertThatThrownBy(() -> EngineFile.read(file, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sealbook.engine.reports.keepBlocks")
                .hasMessageContaining("nearest is sealbook.engine.reports.keep-blocks");
    }

    @Test
    void shouldRefuseAnOptionThatIsNoSettingOfAnEngine() {
        Map<String, String> withoutPrefix = Map.of("reports.keep-blocks", "8");

        assertThatThrownBy(() -> EngineFile.read(file, withoutPrefix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "unknown keys reports.keep-blocks (nearest is sealbook.engine.reports.keep-blocks)");
    }
}
