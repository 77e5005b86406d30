package io.sealbook.gpu;

import static jcuda.nvptxcompiler.JNvPTXCompiler.nvPTXCompilerCompile;
import static jcuda.nvptxcompiler.JNvPTXCompiler.nvPTXCompilerCreate;
import static jcuda.nvptxcompiler.JNvPTXCompiler.nvPTXCompilerDestroy;
import static jcuda.nvptxcompiler.JNvPTXCompiler.nvPTXCompilerGetErrorLog;
import static jcuda.nvptxcompiler.JNvPTXCompiler.nvPTXCompilerGetErrorLogSize;
import static jcuda.nvptxcompiler.JNvPTXCompiler.nvPTXCompilerGetInfoLog;
import static jcuda.nvptxcompiler.JNvPTXCompiler.nvPTXCompilerGetInfoLogSize;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import jcuda.nvrtc.JNvrtc;
import jcuda.nvrtc.nvrtcProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The checked-in PTX is what NVRTC makes of the sources, and NVIDIA's assembler takes it. Neither needs a device or a
 * driver.
 *
 * <p>With {@code -Dsealbook.nvrtc=DIRECTORY} of {@code libnvrtc.so.12} the PTX is made again and compared; with
 * {@code -Dsealbook.ptx.update=true} besides, it is written instead. {@code build-ptx.sh} does both.
 */
class PtxTest {
    private static final JCudaLibrary ASSEMBLER = new JCudaLibrary(
            "libJNvPTXCompiler-12.6.0-linux-x86_64.so",
            "6bce6925256b2456ab9521372a3a6ae76438488d0394dd467e32f3c0a32efa18");
    private static final JCudaLibrary NVRTC = new JCudaLibrary(
            "libJNvrtc-12.6.0-linux-x86_64.so", "1c5a7926684e5af45f6e1280bab41d50735500db2a61cd59f58ab3520e93960c");
    /** The oldest that PTX 8.0 and compilers of its day know; every newer device takes it too. */
    private static final String[] NVRTC_OPTIONS = {"--gpu-architecture=compute_52", "--std=c++14"};

    private static final String NVRTC_DIRECTORY = "sealbook.nvrtc";
    private static final int REGISTERS_MAX = 128;
    private static final Pattern FUNCTION = Pattern.compile("Compiling entry function '(\\w+)'");
    private static final Pattern SPILL = Pattern.compile("(\\d+) bytes spill stores");
    private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");

    @Test
    void shouldBeMadeOfTheseSources() throws IOException {
        String found = KernelSources.hashIn(KernelImage.ofResource().text());

        assertThat(found)
                .as(
                        "%s is stale: the kernels' sources have changed since; run src/build/build-ptx.sh",
                        KernelSources.PTX_FILE)
                .isEqualTo(new KernelSources().hash());
    }

    @Test
    void shouldBeMadeAgainBitForBit() throws IOException {
        String directory = System.getProperty(NVRTC_DIRECTORY);
        assumeTrue(directory != null, "needs NVRTC: -D" + NVRTC_DIRECTORY + " names its directory");

        String ptx = compiled(Path.of(directory).toAbsolutePath());

        if (Boolean.getBoolean("sealbook.ptx.update")) {
            Files.writeString(KernelSources.PTX_FILE, ptx);
        }
        assertThat(Files.readString(KernelSources.PTX_FILE)).isEqualTo(ptx);
    }

    /** From the oldest to the newest that this assembler knows. */
    @ParameterizedTest
    @ValueSource(strings = {"sm_52", "sm_61", "sm_70", "sm_80", "sm_90"})
    void shouldAssembleForEveryArchitecture(String architecture) {
        String log = assembled("--gpu-name=" + architecture, "--opt-level=0", "--verbose");

        assertThat(log)
                .contains(
                        KernelImage.VERIFY_KNOWN_KEYS,
                        KernelImage.VERIFY_ANY_KEYS,
                        KernelImage.MAKE_TABLES,
                        architecture);
    }

    /**
     * More registers would leave less than four warps for each of a multiprocessor's schedulers; spilling would cost
     * memory traffic.
     */
    @Test
    void shouldFitIntoRegisters() {
        String log = assembled("--gpu-name=sm_90", "--verbose");

        for (String kernel : new String[] {KernelImage.VERIFY_KNOWN_KEYS, KernelImage.VERIFY_ANY_KEYS}) {
            assertThat(figure(log, kernel, REGISTERS))
                    .as("registers of " + kernel)
                    .isLessThanOrEqualTo(REGISTERS_MAX);
            assertThat(figure(log, kernel, SPILL))
                    .as("bytes spilled by " + kernel)
                    .isZero();
        }
    }

    private static int figure(String log, String kernel, Pattern pattern) {
        Matcher function = FUNCTION.matcher(log);
        while (function.find()) {
            Matcher figure = pattern.matcher(log);
            if (function.group(1).equals(kernel) && figure.find(function.end())) {
                return Integer.parseInt(figure.group(1));
            }
        }
        throw new AssertionError(pattern + " of " + kernel + " is not in the assembler's log:\n" + log);
    }

    /** Returns the assembler's information, or fails with its errors. */
    private static String assembled(String... options) {
        loadForLinux(ASSEMBLER, () -> JNvPTXCompiler.setExceptionsEnabled(false));
        byte[] ptx = KernelImage.ofResource().text().getBytes(StandardCharsets.US_ASCII);
        nvPTXCompilerHandle compiler = new nvPTXCompilerHandle();
        assertThat(nvPTXCompilerCreate(compiler, ptx.length, Arrays.copyOf(ptx, ptx.length + 1)))
                .isZero();
        int result = nvPTXCompilerCompile(compiler, options.length, options);
        long[] length = new long[1];
        nvPTXCompilerGetErrorLogSize(compiler, length);
        byte[] errors = new byte[(int) length[0] + 1];
        nvPTXCompilerGetErrorLog(compiler, errors);
        nvPTXCompilerGetInfoLogSize(compiler, length);
        byte[] information = new byte[(int) length[0] + 1];
        nvPTXCompilerGetInfoLog(compiler, information);
        nvPTXCompilerDestroy(compiler);
        assertThat(result).as(new String(errors, StandardCharsets.US_ASCII)).isZero();
        return new String(information, StandardCharsets.US_ASCII);
    }

    private static String compiled(Path nvrtcDirectory) throws IOException {
        // Loaded first, so that the loader and NVRTC itself find them by their names.
        System.load(nvrtcDirectory.resolve("libnvrtc-builtins.so.12.0").toString());
        System.load(nvrtcDirectory.resolve("libnvrtc.so.12").toString());
        loadForLinux(NVRTC, () -> JNvrtc.setExceptionsEnabled(false));
        KernelSources sources = new KernelSources();
        Map<String, String> headers = sources.headers();
        nvrtcProgram program = new nvrtcProgram();
        JNvrtc.nvrtcCreateProgram(
                program,
                sources.mainFile(),
                KernelSources.MAIN_FILE,
                headers.size(),
                headers.values().toArray(String[]::new),
                headers.keySet().toArray(String[]::new));
        int result = JNvrtc.nvrtcCompileProgram(program, NVRTC_OPTIONS.length, NVRTC_OPTIONS);
        String[] log = new String[1];
        JNvrtc.nvrtcGetProgramLog(program, log);
        assertThat(result).as(log[0]).isZero();
        String[] ptx = new String[1];
        JNvrtc.nvrtcGetPTX(program, ptx);
        JNvrtc.nvrtcDestroyProgram(program);
        int[] major = new int[1];
        int[] minor = new int[1];
        JNvrtc.nvrtcVersion(major, minor);
        String compiler = "NVRTC " + major[0] + "." + minor[0] + " " + String.join(" ", NVRTC_OPTIONS);
        return sources.ptxFile(ptx[0], compiler);
    }

    private static void loadForLinux(JCudaLibrary library, JCudaLibrary.FirstTouch touch) {
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "needs Linux on x86-64: JCuda's native libraries are taken for no other platform");
        library.load(touch);
    }
}
