package io.sealbook.engine.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Durability;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EngineSettingsTest {
    @Test
    void shouldReadAConstantAsANodeSpellsIt() {
        assertThat(with("durability", "disk").durability()).isEqualTo(Durability.DISK);
        assertThatThrownBy(() -> with("durability", "DISK"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sealbook.engine: durability is 'DISK', expected one of [process, disk]");
        assertThatThrownBy(() -> with("database.enabled", "TRUE"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sealbook.engine: database.enabled is 'TRUE', expected true or false");
    }

    @Test
    void shouldRefuseAnUnknownKeyAndNameTheNearest() {
        assertThatThrownBy(() -> EngineKeys.refuseUnknown(
                        List.of("sealbook.engine.grpc-port", "sealbook.engine.reports.keep-block", "tls")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("sealbook.engine: unknown keys"
                        + " sealbook.engine.reports.keep-block (nearest is sealbook.engine.reports.keep-blocks),"
                        + " tls (nearest is sealbook.engine.tls)");
    }

    @Test
    void shouldTakeTheKeysOfAllProgramsThatShareTheFile() {
        assertThatCode(() -> EngineKeys.refuseUnknown(List.of(
                        "sealbook.engine.reports.keep-blocks",
                        "sealbook.engine.tls-key-passphrase-file",
                        "sealbook.engine.exit-on-failure",
                        "sealbook.engine.database.idle-ms")))
                .doesNotThrowAnyException();
    }

    private static EngineSettings with(String key, String value) {
        return EngineSettings.of(Map.of(EngineSettings.PREFIX + key, value)::get);
    }
}
