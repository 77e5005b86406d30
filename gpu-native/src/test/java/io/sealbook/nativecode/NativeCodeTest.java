package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;

/**
 * Compiles the C tests of {@code src/test/c} and runs each program, as it is and under the sanitizers; skipped without
 * a C compiler.
 */
class NativeCodeTest {
    private static final Path BASE = Path.of("").toAbsolutePath();
    /** Ends what hangs, and nothing else: compilers with sanitizers take minutes on a busy machine. */
    private static final int LIMIT_S = 1_200;
    /** Exit status of a program that has checked nothing, CHECK_SKIPPED of check.h; its output is the reason. */
    private static final int SKIPPED = 77;

    @TestFactory
    Stream<DynamicTest> shouldHoldInC() throws Exception {
        return programs("tests", "tests");
    }

    @TestFactory
    Stream<DynamicTest> shouldHoldInCUnderSanitizers() throws Exception {
        return programs("sanitized", "tests-sanitized");
    }

    /** Field operations are counted there: no crafted signature may take much more of them than an honest one. */
    @TestFactory
    Stream<DynamicTest> shouldBoundTheWorkOfCraftedSignatures() throws Exception {
        return programs("counted", "work");
    }

    /** Secrets are undefined memory there, so that valgrind reports branches and addresses that depend on them. */
    @TestFactory
    Stream<DynamicTest> shouldNotBranchOnSecrets() throws Exception {
        return programs("memcheck", "memcheck", "valgrind", "-q");
    }

    @Test
    void shouldSkipAProgramThatHasCheckedNothing() {
        assertThatThrownBy(() -> run("sh", "-c", "echo needs AVX-512 IFMA: this processor lacks it; exit 77"))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageEndingWith("needs AVX-512 IFMA: this processor lacks it");
    }

    private static Stream<DynamicTest> programs(String mode, String folder, String... runner) throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        run(
                java,
                BASE.resolve("src/build/NativeBuild.java").toString(),
                mode,
                BASE.toString(),
                System.getProperty("native.cc", "gcc"),
                System.getProperty("skips.strict", "false"));
        Path programs = BASE.resolve("target/native").resolve(folder);
        assumeTrue(
                Files.isDirectory(programs),
                "needs gcc, needs Linux on x86-64"
                        + (runner.length == 0 ? "" : ", needs " + runner[0])
                        + ": there are no programs "
                        + folder);
        List<Path> found;
        try (Stream<Path> listed = Files.list(programs)) {
            found = listed.sorted().toList();
        }
        return found.stream()
                .map(program ->
                        DynamicTest.dynamicTest(program.getFileName().toString(), () -> run(command(runner, program))));
    }

    private static String[] command(String[] runner, Path program) {
        String[] command = java.util.Arrays.copyOf(runner, runner.length + 1);
        command[runner.length] = program.toString();
        return command;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        File output = File.createTempFile("native", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start();
            boolean hasEnded = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
            process.destroyForcibly();
            String said = Files.readString(output.toPath(), StandardCharsets.UTF_8);
            assertThat(hasEnded)
                    .as("ended within %s s: %s%n%s", LIMIT_S, String.join(" ", command), said)
                    .isTrue();
            assumeFalse(process.exitValue() == SKIPPED, said.strip());
            assertThat(process.exitValue()).as(said).isZero();
        } finally {
            Files.delete(output.toPath());
        }
    }
}
