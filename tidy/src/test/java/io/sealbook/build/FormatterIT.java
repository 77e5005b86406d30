package io.sealbook.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A build judges the layout of a file and leaves the file as it is; {@code ./mvnw -Pfix} changes it. */
class FormatterIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String UNFORMATTED = "package a;\n\npublic   class A { }\n";
    private static final String FORMATTED = "package a;\n\npublic class A {}\n";

    /** A module of its own, whose parent is this checkout's root pom. */
    @TempDir
    private Path module;

    private Path source;

    @BeforeEach
    void writeModule() throws IOException {
        String pom = """
                <project>
                    <modelVersion>4.0.0</modelVersion>
                    <parent>
                        <groupId>io.sealbook</groupId>
                        <artifactId>sealbook</artifactId>
                        <version>%s</version>
                        <relativePath>%s</relativePath>
                    </parent>
                    <artifactId>layout</artifactId>
                </project>
                """;
        Files.writeString(
                module.resolve("pom.xml"), pom.formatted(System.getProperty("project.version"), pathFromModule()));
        source = module.resolve("src/main/java/a/A.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, UNFORMATTED);
    }

    /** Maven takes the path from the module's folder even if it begins with a slash. */
    private Path pathFromModule() throws IOException {
        return module.toRealPath().relativize(ROOT.toRealPath().resolve("pom.xml"));
    }

    @Test
    void shouldFailAndChangeNothingUntilAskedTo() throws Exception {
        Build refused = build("process-sources");

        assertThat(refused.exitCode).as(refused.output).isNotZero();
        assertThat(refused.output).contains("A.java").contains("run ./mvnw -Pfix");
        assertThat(source).hasContent(UNFORMATTED);

        Build fixed = build("-Pfix");

        assertThat(fixed.exitCode).as(fixed.output).isZero();
        assertThat(Files.readString(source)).isEqualTo(FORMATTED);
        assertThat(build("process-sources").exitCode).isZero();
    }

    private record Build(int exitCode, String output) {}

    private Build build(String argument) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ROOT.resolve("mvnw").toString(),
                "--batch-mode",
                "--offline",
                "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"),
                "-f",
                module.resolve("pom.xml").toString(),
                argument));
        Path output = Files.createTempFile(module, "build", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new Build(process.waitFor(), Files.readString(output));
    }
}
