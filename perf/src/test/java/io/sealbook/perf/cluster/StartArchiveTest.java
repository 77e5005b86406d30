package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;

/** What was learnt under load counts only where the virtual machine takes it. */
class StartArchiveTest {
    private static final int HEAP_MB = 64;

    @TempDir
    private Path directory;

    @Test
    @EnabledForJreRange(minVersion = 25, disabledReason = "needs Java 25")
    void shouldStartUntrainedAndSayWhyWhenTheVirtualMachineRefuses() throws Exception {
        Path jar = Files.createFile(directory.resolve("program.jar"));
        Path home = Files.createDirectories(StartArchive.home(jar));
        Path classes = Files.createFile(home.resolve("classes.jsa"));
        Files.write(home.resolve("trained.aot"), new byte[100_000]);
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        StartArchive program = prepare(jar, said);

        assertThat(program.isTrained()).isFalse();
        assertThat(program.options()).isEqualTo(StartArchive.use(classes));
        assertThat(said.toString(StandardCharsets.UTF_8))
                .startsWith("program.jar starts untrained, because the virtual machine refuses ")
                .contains("bad magic number");
    }

    @Test
    void shouldSayNothingWhereNothingWasLearnt() throws Exception {
        Path jar = Files.createFile(directory.resolve("program.jar"));
        Path classes = Files.createDirectories(StartArchive.home(jar)).resolve("classes.jsa");
        Files.createFile(classes);
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        StartArchive program = prepare(jar, said);

        assertThat(program.isTrained()).isFalse();
        assertThat(program.options()).isEqualTo(StartArchive.use(classes));
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    private StartArchive prepare(Path jar, ByteArrayOutputStream errors) throws IOException, InterruptedException {
        PrintStream before = System.err;
        System.setErr(new PrintStream(errors, true, StandardCharsets.UTF_8));
        try {
            return StartArchive.node(jar, directory, HEAP_MB);
        } finally {
            System.setErr(before);
        }
    }
}
