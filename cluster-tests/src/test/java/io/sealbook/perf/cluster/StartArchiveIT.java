package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;

/** Programs start without a word whatever has become of the archive of their classes. */
class StartArchiveIT {
    private static final Path JAR = Home.find().resolve("consensus-node/target/consensus-node.jar");

    @TempDir
    private Path directory;

    @Test
    void shouldStartSilentlyWithoutAnArchiveOrWithAnother() throws Exception {
        Path absent = directory.resolve("absent.jsa");
        Path garbage = Files.write(directory.resolve("garbage.jsa"), new byte[100_000]);
        Path torn = Files.write(directory.resolve("torn.jsa"), torn());

        String expected = help(List.of());

        assertThat(expected).startsWith("Usage: consensus-node");
        assertThat(help(StartArchive.use(absent))).isEqualTo(expected);
        assertThat(help(StartArchive.use(garbage))).isEqualTo(expected);
        assertThat(help(StartArchive.use(torn))).isEqualTo(expected);
    }

    @Test
    @EnabledForJreRange(minVersion = 25, disabledReason = "needs Java 25")
    void shouldStartSilentlyWithoutTrainingOrWithAnother() throws Exception {
        Path garbage = Files.write(directory.resolve("garbage.aot"), new byte[100_000]);
        Path classes = directory.resolve("classes.jsa");
        help(List.of("-XX:ArchiveClassesAtExit=" + classes, "-Xlog:cds*=off"));

        String expected = help(List.of());

        assertThat(help(StartArchive.useTrained(directory.resolve("absent.aot"))))
                .isEqualTo(expected);
        assertThat(help(StartArchive.useTrained(garbage))).isEqualTo(expected);
        assertThat(help(StartArchive.useTrained(classes))).isEqualTo(expected);
    }

    /** Else its engines would start from the packed jar, without an archive, until the next build. */
    @Test
    void shouldUnpackAgainAfterAnInterruptedRun() throws Exception {
        Path jar = Home.find().resolve("matching-engine/target/matching-engine.jar");
        Path home = Files.createDirectory(directory.resolve("start-interrupted"));
        Path left = Files.writeString(home.resolve("classes.jsa.unfinished"), "half");

        StartArchive.unpack(jar, home);

        assertThat(home.resolve(jar.getFileName())).isRegularFile();
        assertThat(left).doesNotExist();
    }

    /** The first half of the archive of this program's help. */
    private byte[] torn() throws Exception {
        Path whole = directory.resolve("whole.jsa");
        help(List.of("-XX:ArchiveClassesAtExit=" + whole, "-Xlog:cds*=off"));
        byte[] bytes = Files.readAllBytes(whole);
        assertThat(help(StartArchive.use(whole))).startsWith("Usage: consensus-node");
        return java.util.Arrays.copyOf(bytes, bytes.length / 2);
    }

    private static String help(List<String> options) throws IOException, InterruptedException {
        ProcessBuilder command =
                new ProcessBuilder(LocalCluster.java(128, options, JAR, List.of("--help"))).redirectErrorStream(true);
        // Java says that it has picked them up, and another compiler would need another archive.
        command.environment().remove("JDK_JAVA_OPTIONS");
        Process process = command.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
