package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PassphrasesTest {
    private static final Path KEY = Path.of("node.key");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"süß sauer", "süß sauer\n", "süß sauer\r\n", "süß sauer\nsecond line\n"})
    void shouldTakeTheFirstLineOfAFile(String content) throws IOException {
        assertThat(Passphrases.ofFile(file(content, "rw-------")).passphrase(KEY))
                .containsExactly("süß sauer".toCharArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rw-----w-", "rw-r--r--", "rwx--x---"})
    void shouldRefuseAFileOfOthers(String mode) throws IOException {
        assumeTrue(NewFile.hasModes(folder), "needs POSIX file modes");
        Path file = file("secret words", mode);

        assertThatThrownBy(() -> Passphrases.ofFile(file).passphrase(KEY))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessageContaining(mode)
                .hasMessageContaining("chmod 600 " + file);
    }

    @Test
    void shouldNameWhatIsWrongWithAFile() throws IOException {
        assertThatThrownBy(() -> Passphrases.ofFile(folder.resolve("absent")).passphrase(KEY))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessageContaining("absent: there is no such passphrase file");
        Path empty = file("\nsecond line", "rw-------");
        assertThatThrownBy(() -> Passphrases.ofFile(empty).passphrase(KEY)).hasMessageContaining("first line");
        Path large = file("x".repeat(5000), "rw-------");
        assertThatThrownBy(() -> Passphrases.ofFile(large).passphrase(KEY)).hasMessageContaining("at most 4096");
        Path latin = folder.resolve("latin");
        Files.write(latin, new byte[] {'a', (byte) 0xfc});
        KeyFileTest.makeOwnerOnly(latin);
        assertThatThrownBy(() -> Passphrases.ofFile(latin).passphrase(KEY)).hasMessageContaining("not UTF-8");
    }

    @Test
    void shouldTakeTheNamedVariable() throws IOException {
        Map<String, String> environment = Map.of("KEY_PASS", "secret words");

        assertThat(Passphrases.ofVariable("KEY_PASS", environment::get).passphrase(KEY))
                .containsExactly("secret words".toCharArray());
        assertThatThrownBy(
                        () -> Passphrases.ofVariable("OTHER", environment::get).passphrase(KEY))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessage("node.key is encrypted, and the environment variable OTHER is not set");
    }

    @Test
    void shouldReadSettings() {
        assertThat(PassphraseSettings.of(key -> null)).isEqualTo(PassphraseSettings.NONE);
        assertThat(PassphraseSettings.of(Map.of("key-passphrase-file", " pass ")::get)
                        .in(Path.of("/node0"))
                        .file())
                .contains(Path.of("/node0/pass"));
        assertThat(PassphraseSettings.of(Map.of("key-passphrase-env", "KEY_PASS")::get)
                        .variable())
                .contains("KEY_PASS");
        assertThatThrownBy(() -> PassphraseSettings.of(
                        Map.of("key-passphrase-file", "pass", "key-passphrase-env", "KEY_PASS")::get))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("both set");
    }

    /** Tests have no console. */
    @Test
    void shouldNameTheSettingsWhereNoneIsSet() {
        assertThatThrownBy(() -> PassphraseSettings.NONE.source().passphrase(KEY))
                .isInstanceOf(KeyPassphraseException.class)
                .hasMessageContaining("node.key is encrypted: set key-passphrase-file or key-passphrase-env");
    }

    private Path file(String content, String mode) throws IOException {
        Path file = Files.writeString(folder.resolve("pass"), content);
        if (NewFile.hasModes(file)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        }
        return file;
    }
}
