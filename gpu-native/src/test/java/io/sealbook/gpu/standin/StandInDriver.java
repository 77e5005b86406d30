package io.sealbook.gpu.standin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Compiles the stand-in driver and loads it into this process, where JCuda's library then finds it in the place of
 * {@code libcuda.so.1}: the loader goes by the name inside a library, and that one is taken.
 *
 * <p>A test that needs it is skipped where gcc and g++ are absent or the platform is another than Linux on x86-64.
 */
public final class StandInDriver {
    /**
     * Begins the image that runs kernels compiled from their sources; words of {@code stand_in_driver.c} may follow.
     */
    public static final String SOURCE_IMAGE = "source ";

    private static final Path MODULE = Path.of("").toAbsolutePath();
    private static final Path TESTS = MODULE.resolve("src/test/cuda");
    private static final Path KERNELS = MODULE.resolve("src/main/cuda");
    private static final Path PTX = MODULE.resolve("src/main/resources/io/sealbook/gpu/sealbook.ptx");
    private static final Path BUILD = MODULE.resolve("target/stand-in");
    private static final String LIBRARY = "libcuda.so.1";
    private static final long COMPILER_TIMEOUT_S = 300;
    /** With -Pstrict a warning is an error; a newer compiler may have others. */
    private static final String ON_WARNING = Boolean.getBoolean("skips.strict") ? "-Werror" : "-Wno-error";

    private static boolean isLoaded;

    private StandInDriver() {}

    /** Loads the driver, once in a process. */
    public static synchronized void load() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "needs Linux on x86-64: JCuda's native library is taken for no other platform");
        Assumptions.assumeTrue(
                isInstalled("gcc") && isInstalled("g++"),
                "needs gcc, needs g++: the stand-in driver is compiled with both");
        if (!isLoaded) {
            System.load(build().toString());
            isLoaded = true;
        }
    }

    /** Returns the library, compiled unless the last compilation saw the same inputs. */
    private static Path build() {
        try {
            Path library = BUILD.resolve(LIBRARY);
            Path stamp = BUILD.resolve("inputs.sha256");
            String inputs = hashOfInputs();
            if (Files.exists(library)
                    && Files.exists(stamp)
                    && Files.readString(stamp).equals(inputs)) {
                return library;
            }
            Files.createDirectories(BUILD);
            Files.deleteIfExists(stamp);
            Files.writeString(BUILD.resolve("ptx_kernels.c"), PtxToC.translate(Files.readString(PTX)));
            List<Process> compilers = List.of(
                    run("gcc", "-std=c11", "-O0", "-w", "-fPIC", "-I" + TESTS, "-c", "ptx_kernels.c"),
                    run(
                            "g++",
                            "-std=c++14",
                            "-O2",
                            "-Wall",
                            "-Wextra",
                            ON_WARNING,
                            "-Wno-unused-variable",
                            "-fPIC",
                            "-I" + TESTS,
                            "-I" + KERNELS,
                            "-c",
                            TESTS.resolve("source_kernels.cpp").toString()),
                    run(
                            "gcc",
                            "-std=c11",
                            "-O2",
                            "-Wall",
                            "-Wextra",
                            ON_WARNING,
                            "-fPIC",
                            "-fvisibility=hidden",
                            "-c",
                            TESTS.resolve("stand_in_driver.c").toString()));
            for (Process compiler : compilers) {
                await(compiler);
            }
            await(run(
                    "g++",
                    "-shared",
                    "-Wl,-soname," + LIBRARY,
                    "-o",
                    LIBRARY,
                    "ptx_kernels.o",
                    "source_kernels.o",
                    "stand_in_driver.o"));
            Files.writeString(stamp, inputs);
            return library;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process run(String... command) throws IOException {
        return new ProcessBuilder(command).directory(BUILD.toFile()).inheritIO().start();
    }

    private static void await(Process compiler) {
        try {
            if (!compiler.waitFor(COMPILER_TIMEOUT_S, TimeUnit.SECONDS)) {
                compiler.destroyForcibly();
                throw new IllegalStateException(
                        "a compiler did not end: " + compiler.info().commandLine());
            }
        } catch (InterruptedException e) {
            compiler.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while compiling", e);
        }
        if (compiler.exitValue() != 0) {
            throw new IllegalStateException("the stand-in driver does not compile, see the compiler's message");
        }
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }

    private static String hashOfInputs() throws IOException {
        List<Path> inputs = new ArrayList<>(List.of(PTX));
        for (Path directory : List.of(KERNELS, TESTS)) {
            try (Stream<Path> files = Files.list(directory)) {
                files.sorted().forEach(inputs::add);
            }
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ON_WARNING.getBytes(StandardCharsets.US_ASCII));
            for (Path input : inputs) {
                digest.update(Files.readAllBytes(input));
            }
            digest.update(PtxToC.translate(Files.readString(PTX)).getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
