package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartArchiveTest {
    @TempDir
    private Path directory;

    /** A build sets the time of a jar to that of the last release. */
    @Test
    void shouldNotUseWhatWasMadeOfAnotherBuild() throws Exception {
        Path jar = Files.writeString(directory.resolve("program.jar"), "first");
        FileTime time = Files.getLastModifiedTime(jar);
        Path first = StartArchive.home(jar);

        Files.writeString(jar, "other");
        Files.setLastModifiedTime(jar, time);

        assertThat(StartArchive.home(jar)).isNotEqualTo(first);
        assertThat(StartArchive.home(Files.writeString(jar, "first"))).isEqualTo(first);
    }

    @Test
    void shouldStartWithoutWhatARunUnderLoadHasLeft() {
        Path jar = directory.resolve("program.jar");
        List<String> trainedOptions = StartArchive.useTrained(directory.resolve("trained.aot"));

        StartArchive untrained = new StartArchive(jar, trainedOptions, true, directory).untrained();

        assertThat(untrained.isTrained()).isFalse();
        assertThat(untrained.options()).isEqualTo(StartArchive.use(directory.resolve("classes.jsa")));
        assertThat(untrained.untrained()).isSameAs(untrained);
    }
}
