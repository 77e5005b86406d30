package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NeverVotedMarkTest {
    private final VerificationKey key =
            TestKeys.key(SignatureScheme.SM2_SM3, new Random(90)).verificationKey();
    private final VerificationKey other =
            TestKeys.key(SignatureScheme.SM2_SM3, new Random(91)).verificationKey();

    @TempDir
    private Path folder;

    private Path file;
    private NeverVotedMark mark;

    @BeforeEach
    void nameTheMark() {
        file = folder.resolve("node.key.never-voted");
        mark = NeverVotedMark.of(folder.resolve("node.key"), key);
    }

    @Test
    void shouldCountForItsKeyUntilItIsRemoved() throws IOException {
        assertThat(mark.fault()).contains("there is no " + file);

        mark.write();
        assertThat(file).content().contains("public-fingerprint=" + PublicKeyPem.fingerprint(key) + "\n");
        assertThat(mark.fault()).isEmpty();

        mark.remove();
        assertThat(file).doesNotExist();
        assertThat(mark.fault()).contains("there is no " + file);
        mark.remove();
    }

    @Test
    void shouldCountForNothingIfItIsOfAnotherKey() throws IOException {
        NeverVotedMark.of(folder.resolve("node.key"), other).write();

        assertThat(mark.fault())
                .contains(file + " names the key " + PublicKeyPem.fingerprint(other) + ", and this node's is "
                        + PublicKeyPem.fingerprint(key));
        mark.remove();
        assertThat(file).as("it may be needed").exists();
    }

    @Test
    void shouldCountForNothingIfItIsDamaged() throws IOException {
        Files.writeString(file, "#".repeat(2_000) + "\npublic-fingerprint=" + PublicKeyPem.fingerprint(key) + "\n");
        assertThat(mark.fault()).contains(file + " names no key");

        Files.write(file, new byte[] {(byte) 0xff, 0, 10});
        assertThat(mark.fault()).contains(file + " names no key");

        Files.delete(file);
        Files.createDirectory(file);
        assertThat(mark.fault()).hasValueSatisfying(fault -> assertThat(fault).startsWith(file + " cannot be read: "));
    }

    @Test
    void shouldNeverBeOverwritten() throws IOException {
        mark.write();

        assertThatThrownBy(mark::write).isInstanceOf(FileAlreadyExistsException.class);
    }

    /** No file is read or removed by an interrupted thread. */
    @Test
    void shouldNameAMarkThatCannotBeRemoved() throws IOException {
        mark.write();

        Thread.currentThread().interrupt();
        assertThatThrownBy(mark::remove)
                .isInstanceOf(OperatingFailureException.class)
                .hasMessageContaining(file + " cannot be removed: ");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(mark.fault()).isEmpty();
    }
}
