package io.sealbook.nativecode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code NativeBuild} with compilers that differ from the one of this machine, on a module of one source. */
class NativeBuildTest {
    private static final Path PROGRAM = Path.of("src/build/NativeBuild.java").toAbsolutePath();

    private static final String COMPLAINT = "gcc: error: unrecognized command line option '-mavx512vbmi2'";

    @TempDir
    private Path module;

    private record Result(int exitCode, String output) {}

    @BeforeEach
    void writeSource() throws IOException {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        Files.createDirectories(module.resolve("src/main/c"));
        Files.createDirectories(module.resolve("src/test/c"));
        String source = "int one(void);\nint one(void) { int unused; return 1; }\n";
        Files.writeString(module.resolve("src/main/c/one.c"), source);
    }

    /** As gcc 7, or gcc without the headers of the C library. */
    @Test
    void shouldSkipTheLibraryIfTheCompilerCannotCompile() throws Exception {
        Path compiler = oldCompiler();

        Result result = build("library", compiler.toString(), "false");

        assertThat(result.exitCode).as(result.output).isZero();
        assertThat(result.output).contains(COMPLAINT);
        assertThat(module.resolve("target/skips/native-build.tsv"))
                .content()
                .startsWith("gpu-native\tNativeBuild\tneeds gcc: built without libsealbook, " + compiler)
                .endsWith(": " + COMPLAINT + "\n");
    }

    private Path oldCompiler() throws IOException {
        Path compiler = module.resolve("old-gcc");
        Files.writeString(compiler, """
                #!/bin/sh
                [ "$1" = --version ] && exit 0
                echo 'In file included from a.c:1:' >&2
                echo "%s" >&2
                exit 1
                """.formatted(COMPLAINT));
        assertThat(compiler.toFile().setExecutable(true)).isTrue();
        return compiler;
    }

    /** A gcc that compiles all but the questions for instructions, as gcc 7 does. */
    @Test
    void shouldSkipTheLibraryIfTheCompilerCannotAskForInstructions() throws Exception {
        Path compiler = module.resolve("gcc-without-cpu");
        Files.writeString(compiler, """
                #!/bin/sh
                for argument; do
                    case $argument in *.c) grep -q avx512vbmi2 "$argument" && source=$argument ;; esac
                done
                [ -z "$source" ] && exec gcc "$@"
                echo "a.c:9: error: parameter to builtin not valid: avx512vbmi2" >&2
                exit 1
                """);
        assertThat(compiler.toFile().setExecutable(true)).isTrue();

        Result result = build("library", compiler.toString(), "false");

        assertThat(result.exitCode).as(result.output).isZero();
        assertThat(module.resolve("target/skips/native-build.tsv"))
                .content()
                .contains("a.c:9: error: parameter to builtin not valid: avx512vbmi2");
    }

    /** The probe asks the compiler, and not whether our sources are right. */
    @Test
    void shouldFailIfAHeaderIsWrong() throws Exception {
        Files.writeString(module.resolve("src/main/c/cpu.h"), "static inline int cpu(void) { return unknown; }\n");
        Files.writeString(module.resolve("src/main/c/two.c"), "#include \"cpu.h\"\nint two(void);\n");

        Result result = build("library", "gcc", "false");

        assertThat(result.exitCode).as(result.output).isNotZero();
        assertThat(module.resolve("target/skips/native-build.tsv")).doesNotExist();
    }

    /** They are of other sources, and would get into the jar or pass as tests. */
    @Test
    void shouldKeepNothingOfAnEarlierBuildIfItSkips() throws Exception {
        Files.writeString(module.resolve("src/test/c/one_test.c"), "int main(void) { return 0; }\n");
        Path library = module.resolve("target/classes/native/linux-x86_64/libsealbook.so");
        Path programs = module.resolve("target/native/tests");
        assertThat(build("library", "gcc", "false").exitCode).isZero();
        assertThat(build("tests", "gcc", "false").exitCode).isZero();
        assertThat(library).exists();
        assertThat(programs.resolve("one_test")).exists();

        Result ofLibrary = build("library", oldCompiler().toString(), "false");
        Result ofTests = build("tests", "none", "false");

        assertThat(ofLibrary.exitCode).as(ofLibrary.output).isZero();
        assertThat(ofTests.exitCode).as(ofTests.output).isZero();
        assertThat(library).doesNotExist();
        assertThat(programs).doesNotExist();
    }

    @Test
    void shouldFailOnAWarningOnlyIfItIsStrict() throws Exception {
        Result plain = build("library", "gcc", "false");

        assertThat(plain.exitCode).as(plain.output).isZero();
        assertThat(plain.output).contains("unused");
        assertThat(module.resolve("target/classes/native/linux-x86_64/libsealbook.so"))
                .exists();

        Result strict = build("library", "gcc", "true");

        assertThat(strict.exitCode).as(strict.output).isNotZero();
        assertThat(strict.output).contains("unused");
    }

    private Result build(String mode, String compiler, String strict) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        PROGRAM.toString(),
                        mode,
                        module.toString(),
                        compiler,
                        strict)
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
