package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.setup.DirectoryLock;
import io.sealbook.engine.setup.EngineDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** An operator whose engine does not start reads the fact, not a trace. */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTest {
    private static final String TRACE = "\tat ";

    @TempDir
    private Path directory;

    @Test
    void shouldNameTheDirectoryThatAnotherEngineUses(CapturedOutput output) throws Exception {
        prepare();
        try (DirectoryLock ignored = DirectoryLock.acquire(new EngineDirectory(directory))) {
            assertThatThrownBy(() -> EngineApplication.application(directory).run());
        }

        assertThat(output.getAll())
                .contains("another engine runs on " + directory)
                .doesNotContain(TRACE);
    }

    @Test
    void shouldNameTheSettingThatIsWrong(CapturedOutput output) throws Exception {
        prepare("sealbook.engine.market-data.stall-ms=0");

        assertThatThrownBy(() -> EngineApplication.application(directory).run());

        assertThat(output.getAll()).contains("market-data.stall-ms is 0").doesNotContain(TRACE);
    }

    /** The default deletes reports that the operator has set out to keep. */
    @Test
    void shouldNameTheKeyThatIsMisspelt(CapturedOutput output) throws Exception {
        prepare("sealbook.engine.reports.keep-block=1000000000000");

        assertThatThrownBy(() -> EngineApplication.application(directory)
                .run("--sealbook.engine.http.pingMs=1000", "--sealbook.engine.x=1"));

        assertThat(output.getAll())
                .contains("sealbook.engine.reports.keep-block (nearest is sealbook.engine.reports.keep-blocks)")
                .contains("sealbook.engine.x (nearest is ")
                .doesNotContain("pingMs")
                .doesNotContain(TRACE);
    }

    @Test
    void shouldNotListenInClearWhereOtherMachinesReachIt(CapturedOutput output) throws Exception {
        prepare("server.address=0.0.0.0", "sealbook.engine.tls=off");

        assertThatThrownBy(() -> EngineApplication.application(directory).run());

        assertThat(output.getAll())
                .contains("tls=off, but other machines reach a port on address '0.0.0.0'")
                .doesNotContain(TRACE);
    }

    @Test
    void shouldNameTheKeyThatIsMissing(CapturedOutput output) throws Exception {
        prepare("server.address=0.0.0.0");

        assertThatThrownBy(() -> EngineApplication.application(directory).run());

        assertThat(output.getAll())
                .contains("no private key can be read from " + directory.resolve("tls/key.pem"))
                .doesNotContain(TRACE);
    }

    @Test
    void shouldNameTheFileThatCannotBeRead(CapturedOutput output) throws Exception {
        prepare();
        Path genesis = new EngineDirectory(directory).genesis();
        Files.delete(genesis);
        Files.createDirectory(genesis);

        assertThatThrownBy(() -> EngineApplication.application(directory).run());

        assertThat(output.getAll()).contains("cannot read " + genesis).doesNotContain(TRACE);
    }

    private void prepare(String... settings) throws Exception {
        List<String> lines = new ArrayList<>(List.of("server.port=0", "sealbook.engine.grpc-port=0"));
        lines.addAll(List.of(settings));
        TestMarket.write(directory, List.of(1, 2, 3, 4), lines.toArray(String[]::new));
    }
}
