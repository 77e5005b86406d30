package io.sealbook.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mvnw} with a JDK and a Maven that are scripts: the Maven prints where it runs, and with which JDK. */
class MvnwTest {
    private static final String PATH = System.getenv("PATH");

    private final Map<String, String> environment = new HashMap<>(Map.of("PATH", PATH));
    private Path folder;

    @BeforeEach
    void writeCheckout(@TempDir Path temporary) throws IOException {
        folder = temporary.toRealPath();
        Files.createDirectory(folder.resolve("checkout"));
        Files.copy(Path.of("..", "mvnw"), folder.resolve("checkout/mvnw"));
        assertThat(folder.resolve("checkout/mvnw").toFile().setExecutable(true)).isTrue();
        writeScript("jdk/bin/java", "echo 'openjdk version \"99.0.1\" 2099-01-01' >&2");
        writeScript("jdk/bin/javac", "printf 'Property settings:\\n    java.home = %s\\n' '" + folder + "/jdk' >&2");
        writeScript("maven/bin/mvn", """
                if [ "$1" = -v ]; then
                  echo 'Apache Maven 3.9.9 (0)'
                else
                  echo "$* in $PWD with $JAVA_HOME"
                fi
                """);
        environment.put("JAVA_HOME", folder + "/jdk");
        environment.put("MVNW_MAVEN_HOME", folder + "/maven");
        environment.put("HOME", folder.toString());
    }

    @Test
    void shouldBuildItsCheckoutWhateverCdpathIs() throws Exception {
        Files.createDirectories(folder.resolve("other/checkout"));
        environment.put("CDPATH", folder + "/other");

        assertThat(run("checkout/mvnw")).isEqualTo(built());
    }

    @Test
    void shouldBuildTheCheckoutOfALink() throws Exception {
        Files.createSymbolicLink(folder.resolve("build"), Path.of("checkout", "mvnw"));

        assertThat(run("./build")).isEqualTo(built());
    }

    @Test
    void shouldFindMavenAndJdkByRelativePaths() throws Exception {
        environment.put("JAVA_HOME", "jdk");
        environment.put("MVNW_MAVEN_HOME", "maven");

        assertThat(run("checkout/mvnw")).isEqualTo(built());
    }

    @Test
    void shouldBuildWithoutAHome() throws Exception {
        environment.remove("HOME");

        assertThat(run("checkout/mvnw")).isEqualTo(built());
    }

    /** As asdf, jenv and mise put them on PATH. */
    @Test
    void shouldFindTheJdkOfAShim() throws Exception {
        writeScript("shims/javac", "exec '" + folder + "/jdk/bin/javac' \"$@\"");
        environment.put("PATH", folder + "/shims:" + PATH);
        environment.remove("JAVA_HOME");

        assertThat(run("checkout/mvnw")).isEqualTo(built());
    }

    private String built() {
        return "verify in " + folder + "/checkout with " + folder + "/jdk\n";
    }

    private void writeScript(String name, String body) throws IOException {
        Path script = folder.resolve(name);
        Files.createDirectories(script.getParent());
        Files.writeString(script, "#!/bin/sh\n" + body);
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    /** Runs the script from the folder around the checkout; returns what it and Maven print. */
    private String run(String script) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", ".txt");
        ProcessBuilder process = new ProcessBuilder(List.of(script, "verify"))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        process.environment().clear();
        process.environment().putAll(environment);
        process.start().waitFor();
        return Files.readString(output);
    }
}
