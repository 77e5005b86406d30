package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C and CUDA are laid out as {@code .clang-format} says; without clang-format 14 nothing is compared. */
class ClangFormatTest {
    private static final String REMEDY = "run: clang-format -i FILE";
    private static final String[] SOURCES = {".c", ".h", ".cu", ".cuh", ".cpp"};

    private record Output(int exitCode, String text) {}

    private final Checkout checkout = Checkout.find();

    @TempDir
    private Path directory;

    @BeforeEach
    void needProgram() throws Exception {
        assumeTrue(isInstalled(), "needs clang-format 14: other versions lay out some lines in another way");
    }

    @Test
    void shouldFindEverySourceFormatted() throws Exception {
        List<String> command = new ArrayList<>(List.of("clang-format", "--dry-run", "--Werror"));
        checkout.textFiles().stream().filter(file -> file.endsWith(SOURCES)).forEach(file -> command.add(file.path()));
        assertThat(command).hasSizeGreaterThan(50);

        Output output = run(checkout.root(), command);

        assertThat(output.exitCode).as(REMEDY + "\n" + output.text).isZero();
    }

    @Test
    void shouldNoticeASourceThatIsNot() throws Exception {
        Files.copy(checkout.root().resolve(".clang-format"), directory.resolve(".clang-format"));
        Files.writeString(directory.resolve("a.c"), "int f( void )\n{ return   1; }\n");

        Output output = run(directory, List.of("clang-format", "--dry-run", "--Werror", "a.c"));

        assertThat(output.exitCode).isNotZero();
        assertThat(output.text).contains("a.c:1");
    }

    private boolean isInstalled() throws InterruptedException {
        try {
            return run(directory, List.of("clang-format", "--version")).text.contains("version 14.");
        } catch (IOException e) {
            return false; // There is no such program.
        }
    }

    private static Output run(Path folder, List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }
}
