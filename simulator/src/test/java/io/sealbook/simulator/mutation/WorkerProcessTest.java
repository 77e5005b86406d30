package io.sealbook.simulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A class path that is not whole finds nothing: what a mutant breaks, and what the hunt breaks, are apart. */
class WorkerProcessTest {
    @TempDir
    private Path directory;

    private WorkerProcess process(Class<? extends Finder> finder) throws IOException {
        List<Path> classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return new WorkerProcess(classPath, MutantHunt.writeAgent(directory.resolve("agent.jar")), finder.getName());
    }

    @Test
    void shouldAnswerWhatTheFinderThrows() throws IOException {
        try (WorkerProcess process = process(Throwing.class)) {
            WorkerProcess.Answer answer = process.ask("", List.of());

            assertThat(answer.isFound()).isTrue();
            assertThat(answer.fact()).isEqualTo("java.lang.StackOverflowError: deep");
        }
    }

    @Test
    void shouldRefuseToCallALinkageErrorAFinding() throws IOException {
        try (WorkerProcess process = process(Unlinked.class)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> process.ask("", List.of()))
                    .withMessageContaining("java.lang.NoSuchMethodError: gone");
        }
    }

    @Test
    void shouldRefuseToCallATestThatCannotBeLinkedAFinding() {
        assertThatExceptionOfType(NoSuchMethodError.class)
                .isThrownBy(() -> new TestFinder().find(List.of(UnlinkedCase.class.getName())));
    }

    static final class Throwing implements Finder {
        @Override
        public Optional<String> find(List<String> arguments) {
            throw new StackOverflowError("deep");
        }
    }

    static final class Unlinked implements Finder {
        @Override
        public Optional<String> find(List<String> arguments) {
            throw new NoSuchMethodError("gone");
        }
    }

    static class UnlinkedCase {
        @Test
        void shouldCallWhatIsGone() {
            throw new NoSuchMethodError("gone");
        }
    }
}
