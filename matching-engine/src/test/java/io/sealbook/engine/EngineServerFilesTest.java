package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.engine.fixture.TestMarket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The HTTP servers write in the engine's directory, and a start removes what a killed process has left there. */
@Timeout(300)
class EngineServerFilesTest {
    @TempDir
    private Path directory;

    @Test
    void shouldKeepWhatServersWriteInTheDirectoryOfTheEngine() throws Exception {
        prepare("management.server.port=0", "management.server.address=127.0.0.1");
        Path http = directory.resolve("engine/http");
        Path left = Files.createDirectories(http.resolve("work/Tomcat/localhost/ROOT/left"));
        Path log =
                Files.writeString(Files.createDirectories(http.resolve("logs")).resolve("access.log"), "kept");

        try (ConfigurableApplicationContext context = start()) {
            assertThat(baseOf(context)).isEqualTo(http);
            assertThat(documentsOf(context)).isEqualTo(http.resolve("documents"));
            assertThat(left).doesNotExist();
            assertThat(log).hasContent("kept");
            // That of the actuator's port, too.
            assertThat(filesIn(http.resolve("work"))).hasSize(2);

            Path inUse = Files.createFile(http.resolve("work/in-use"));
            assertThatThrownBy(this::start).hasStackTraceContaining("another engine runs on");
            assertThat(inUse).exists();
        }
    }

    @Test
    void shouldLeaveTheBaseDirectoryOfTheOperatorAlone(@TempDir Path other) throws Exception {
        prepare("server.tomcat.basedir=" + other);
        Path kept = Files.createDirectories(other.resolve("work/kept"));

        try (ConfigurableApplicationContext context = start()) {
            assertThat(baseOf(context)).isEqualTo(other);
            assertThat(documentsOf(context)).isEqualTo(directory.resolve("engine/http/documents"));
            assertThat(kept).exists();
        }
    }

    private void prepare(String... settings) {
        TestMarket.write(
                directory,
                1,
                Stream.concat(
                                Stream.of(
                                        "server.port=0",
                                        "sealbook.engine.grpc-port=0",
                                        "sealbook.engine.exit-on-failure=false",
                                        "sealbook.engine.database.enabled=false"),
                                Stream.of(settings))
                        .toArray(String[]::new));
    }

    private ConfigurableApplicationContext start() {
        return EngineApplication.application(directory).run("--logging.level.root=error");
    }

    private static Path baseOf(ConfigurableApplicationContext context) {
        return tomcatOf(context).getServer().getCatalinaBase().toPath();
    }

    private static Path documentsOf(ConfigurableApplicationContext context) {
        return Path.of(((Context) tomcatOf(context).getHost().findChildren()[0]).getDocBase());
    }

    private static Tomcat tomcatOf(ConfigurableApplicationContext context) {
        return ((TomcatWebServer) ((ServletWebServerApplicationContext) context).getWebServer()).getTomcat();
    }

    private static List<Path> filesIn(Path parent) throws IOException {
        try (Stream<Path> files = Files.list(parent)) {
            return files.toList();
        }
    }
}
