package io.sealbook.chaos.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.consensus.tool.TestnetCommand;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class VerifiedArchivesTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTakeDownWhatTheToolSaysOfAWrongArchive() {
        new CommandLine(new TestnetCommand()).execute("--dir=" + directory.resolve("cluster"));
        Path archive = directory.resolve("archive");
        new SampleArchive().write(archive, SampleArchive.BLOCKS, 0);
        Findings findings = new Findings();

        VerifiedArchives.judge(directory.resolve("cluster/genesis.json"), List.of(archive), findings);

        assertThat(findings.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo(Rule.SAME_EVERYWHERE);
            assertThat(violation.facts()).contains("ends with 1", "genesis");
        });
    }
}
