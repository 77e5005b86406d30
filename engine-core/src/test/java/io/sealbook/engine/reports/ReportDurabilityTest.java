package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.ForcedFiles;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is forced to disk, as the virtual machine records it. Files begin with reports 1, 5, 9. */
class ReportDurabilityTest {
    private static final int BROKER = 3;
    private static final int PER_SEGMENT = 4;

    @TempDir
    Path temp;

    private Path directory;

    @BeforeEach
    void nameDirectory() {
        directory = temp.resolve("reports");
    }

    @Test
    void shouldForceEachFullFileAndItsName() throws Exception {
        assertThat(forced(() -> append(1, 4, Durability.DISK))).isEmpty();
        assertThat(forced(() -> append(5, 9, Durability.DISK))).containsExactly("1", "names", "5", "names");
    }

    @Test
    void shouldForceNothingThatNeedNotSurviveALossOfPower() throws Exception {
        assertThat(forced(() -> append(1, 9, Durability.PROCESS))).isEmpty();
    }

    /** The bytes in it may be those of a process that was killed before it forced them. */
    @Test
    void shouldForceTheFullFileOfAnEarlierProcess() throws Exception {
        append(1, 4, Durability.PROCESS);

        assertThat(forced(() -> append(5, 5, Durability.DISK))).containsExactly("1", "names");
    }

    private void append(long from, long to, Durability durability) {
        try (ReportStore store = ReportStore.open(directory, BROKER, PER_SEGMENT, durability)) {
            TestRuns.append(store, from, to, sequence -> sequence);
        }
    }

    /** Returns the first report of each file that was forced, and where the names in the directory were. */
    private List<String> forced(Runnable action) throws Exception {
        return ForcedFiles.below(directory, action::run).stream()
                .map(path -> path.equals(directory) ? "names" : Long.toString(ReportSegment.firstSequenceOf(path)))
                .toList();
    }
}
