import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Compiles the C sources of this module with gcc. Maven runs it from source, so that a build needs a JDK and nothing
 * else.
 *
 * <pre>
 *   java NativeBuild.java MODE BASEDIR [CC [STRICT]]
 *
 *   library    src/main/c to target/classes/native/linux-x86_64/libsealbook.so
 *   tests      one program per src/test/c/*_test.c, in target/native/tests
 *   sanitized  the same with AddressSanitizer and UndefinedBehaviorSanitizer, in target/native/tests-sanitized
 *   counted    one program per src/test/c/*_work.c, which counts field operations, in target/native/work
 *   memcheck   one program per src/test/c/*_memcheck.c, to be run by valgrind, in target/native/memcheck
 *   fuzz       one program per src/test/c/*_fuzz.c with libFuzzer, by clang, in target/native/fuzz
 *   bench      one program per src/test/c/*_bench.c, in target/native/bench
 * </pre>
 *
 * <p>The name of a file decides which instructions it may use: *_avx512*.c gets the AVX-512 flags, *_adx*.c those for
 * MULX, ADX and AVX2; all others run on every x86-64. No main is in a file with such flags: a program asks the
 * processor first and then calls *_checks.c of src/test/c, which each program contains. jni_*.c are protected against
 * overflows of the stack. A file is compiled again if it, any header or this program is newer than its object. If there
 * is no compiler, or it cannot compile a few lines with these flags, or the machine is not Linux on x86-64, one line
 * reports it and the exit status is 0: the library is optional. What an earlier build of this mode has made is deleted
 * then. A warning fails the build if STRICT is true: newer compilers have warnings that these sources have not seen.
 */
final class NativeBuild {
    private static final String LIBRARY = "target/classes/native/linux-x86_64/libsealbook.so";
    private static final String SKIPS = "target/skips/native-build.tsv";
    /** Folders of programs in target/native, by mode. */
    private static final Map<String, String> FOLDERS = Map.of(
            "tests", "tests",
            "sanitized", "tests-sanitized",
            "counted", "work",
            "memcheck", "memcheck",
            "fuzz", "fuzz",
            "bench", "bench");
    /** What the sources include or ask and some C compilers lack. Its name gives it the flags of both kinds of file. */
    private static final String PROBE = """
            #include <cpuid.h>
            #include <immintrin.h>
            #include <jni.h>
            #include <stddef.h>
            #include <stdint.h>
            #include <string.h>
            uint64_t probe(const void *bytes);
            uint64_t probe(const void *bytes) {
                uint64_t word;
                unsigned a, b, c, d;
                memcpy(&word, bytes, sizeof word);
                return __get_cpuid_count(7, 0, &a, &b, &c, &d) && __builtin_cpu_supports("bmi2")
                    && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vbmi2") ? word : 0;
            }
            """;
    private static final List<String> FLAGS = List.of(
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-fno-strict-aliasing",
            "-fno-tree-vectorize",
            "-fvisibility=hidden",
            "-fPIC",
            "-D_GNU_SOURCE");
    /** The JNI functions copy arrays to the stack: an overflow must end the process, not change a return address. */
    private static final List<String> BORDER_FLAGS = List.of("-fstack-protector-strong");
    private static final List<String> ADX_FLAGS = List.of("-mbmi2", "-madx", "-mavx2");
    private static final List<String> AVX512_FLAGS = List.of(
            "-mbmi2", "-madx", "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512ifma", "-mavx512vbmi2");
    private static final List<String> LIBRARY_FLAGS = List.of("-shared", "-Wl,-z,relro,-z,now,-z,noexecstack", "-s");
    private static final List<String> OPTIMISED = List.of("-O3");
    private static final List<String> COUNTED = List.of("-O2", "-DSEALBOOK_COUNT_WORK");
    /** As optimised as the library: compilers make branches when they optimise. */
    private static final List<String> MEMCHECK = List.of("-O3", "-g", "-fno-var-tracking", "-DSEALBOOK_MEMCHECK");
    private static final List<String> FUZZED = List.of("-O1", "-g", "-fsanitize=fuzzer,address,undefined");
    /** Where a variable is at each instruction of inlined field arithmetic takes gcc a minute a file to write down. */
    private static final List<String> SANITIZED = List.of(
            "-O1",
            "-g",
            "-fno-var-tracking",
            "-fno-omit-frame-pointer",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all");

    private final Path base;
    private final String compiler;
    private final List<String> optimisation;
    private final boolean isStrict;
    private final Path objects;

    private NativeBuild(Path base, String compiler, List<String> optimisation, boolean isStrict, String objects) {
        this.base = base;
        this.compiler = compiler;
        this.optimisation = optimisation;
        this.isStrict = isStrict;
        // Apart: a strict build must not take an object that was compiled with a warning.
        this.objects = base.resolve("target/native").resolve(isStrict ? objects + "-strict" : objects);
    }

    public static void main(String[] args) throws Exception {
        Path base = Path.of(args[1]).toAbsolutePath();
        String compiler = args.length > 2 && !args[2].isBlank() ? args[2] : "gcc";
        boolean isStrict = args.length > 3 && Boolean.parseBoolean(args[3]);
        if (args[0].equals("library")) {
            Files.deleteIfExists(base.resolve(SKIPS));
        }
        String platform = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (!platform.equals("Linux on amd64")) {
            skip(base, args[0], "needs Linux on x86-64: built without libsealbook, this is " + platform);
            return;
        }
        if (!isThere(compiler)) {
            skip(base, args[0], "needs gcc: built without libsealbook, there is no C compiler named " + compiler);
            return;
        }
        Optional<String> complaint = new NativeBuild(base, compiler, OPTIMISED, isStrict, "probe").complaint();
        if (complaint.isPresent()) {
            String reason = compiler + " cannot compile it: " + complaint.get();
            skip(base, args[0], "needs gcc: built without libsealbook, " + reason);
            return;
        }
        switch (args[0]) {
            case "library" -> new NativeBuild(base, compiler, OPTIMISED, isStrict, "objects").library();
            case "tests" -> new NativeBuild(base, compiler, OPTIMISED, isStrict, "objects")
                    .programs("_test.c", FOLDERS.get("tests"));
            case "sanitized" -> new NativeBuild(base, compiler, SANITIZED, isStrict, "objects-sanitized")
                    .programs("_test.c", FOLDERS.get("sanitized"));
            case "counted" -> new NativeBuild(base, compiler, COUNTED, isStrict, "objects-counted")
                    .programs("_work.c", FOLDERS.get("counted"));
            case "memcheck" -> {
                if (!isThere("valgrind") || !Files.exists(Path.of("/usr/include/valgrind/memcheck.h"))) {
                    System.out.println("gpu-native: no test of secrets, valgrind or valgrind/memcheck.h is missing");
                    deleteOutputs(base, args[0]);
                    return;
                }
                new NativeBuild(base, compiler, MEMCHECK, isStrict, "objects-memcheck")
                        .programs("_memcheck.c", FOLDERS.get("memcheck"));
            }
            case "fuzz" -> {
                if (!isThere("clang")) {
                    System.out.println("gpu-native: no fuzzing, there is no compiler named clang");
                    deleteOutputs(base, args[0]);
                    return;
                }
                new NativeBuild(base, "clang", FUZZED, isStrict, "objects-fuzz")
                        .programs("_fuzz.c", FOLDERS.get("fuzz"));
            }
            case "bench" -> new NativeBuild(base, compiler, OPTIMISED, isStrict, "objects")
                    .programs("_bench.c", FOLDERS.get("bench"));
            default -> throw new IllegalArgumentException("no such mode: " + args[0]);
        }
    }

    /**
     * Says what is not built, and records it for the table at the end of the build; see the module test-kit. What an
     * earlier build has made of other sources must neither get into the jar nor pass as a test.
     */
    private static void skip(Path base, String mode, String reason) throws IOException {
        System.out.println("gpu-native: " + reason);
        deleteOutputs(base, mode);
        Path record = base.resolve(SKIPS);
        Files.createDirectories(record.getParent());
        Files.writeString(record, "gpu-native\tNativeBuild\t" + reason + "\n");
    }

    private static void deleteOutputs(Path base, String mode) throws IOException {
        if (mode.equals("library")) {
            Files.deleteIfExists(base.resolve(LIBRARY));
            return;
        }
        Path folder = base.resolve("target/native").resolve(FOLDERS.get(mode));
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> programs = Files.list(folder)) {
            for (Path program : programs.toList()) {
                Files.delete(program);
            }
        }
        Files.delete(folder);
    }

    /** Compiles and links a few lines as the library is; returns the compiler's error if it cannot. */
    private Optional<String> complaint() throws IOException, InterruptedException {
        Files.createDirectories(objects);
        Path source = objects.resolve("jni_probe_avx512.c");
        Path object = objects.resolve("jni_probe_avx512.o");
        Files.writeString(source, PROBE);
        List<String> linking = linking(List.of(object), objects.resolve("probe.so"), LIBRARY_FLAGS);
        for (List<String> command : List.of(command(source, object), linking)) {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            List<String> lines = process.inputReader().lines().toList();
            if (process.waitFor() != 0) {
                return Optional.of(lines.stream()
                        .filter(line -> line.contains("error"))
                        .findFirst()
                        .orElse(lines.isEmpty() ? "exit status " + process.exitValue() : lines.getFirst())
                        .replace('\t', ' '));
            }
        }
        return Optional.empty();
    }

    private void library() throws Exception {
        List<Path> compiled = compile(sources("src/main/c", ".c"));
        link(compiled, base.resolve(LIBRARY), LIBRARY_FLAGS);
    }

    /**
     * Links one program per source that ends so, each with all of the library but its JNI functions and with the checks
     * that need instructions of some processors.
     */
    private void programs(String ending, String folder) throws Exception {
        List<Path> mathematics = sources("src/main/c", ".c");
        mathematics.removeIf(source -> source.getFileName().toString().startsWith("jni_"));
        List<Path> mains = sources("src/test/c", ending);
        for (Path main : mains) {
            if (!instructions(main).isEmpty()) {
                throw new IOException("a program must start on every processor, before it asks for its instructions: "
                        + main + ": only a file of src/test/c/*_checks.c may use them");
            }
        }
        mathematics.addAll(sources("src/test/c", "_checks.c"));
        List<Path> all = new ArrayList<>(mathematics);
        all.addAll(mains);
        List<Path> compiled = compile(all);
        for (int i = 0; i < mains.size(); i++) {
            List<Path> parts = new ArrayList<>(compiled.subList(0, mathematics.size()));
            parts.add(compiled.get(mathematics.size() + i));
            String name = mains.get(i).getFileName().toString().replace(".c", "");
            link(parts, base.resolve("target/native").resolve(folder).resolve(name), List.of());
        }
    }

    private List<Path> compile(List<Path> sources) throws Exception {
        long headersChanged = Math.max(newest("src/main/c"), newest("src/test/c"));
        headersChanged = Math.max(headersChanged, changed(base.resolve("src/build/NativeBuild.java")));
        Files.createDirectories(objects);
        List<Path> compiled = new ArrayList<>();
        List<Callable<Void>> work = new ArrayList<>();
        for (Path source : sources) {
            Path object = objects.resolve(source.getFileName().toString().replace(".c", ".o"));
            compiled.add(object);
            if (changed(object) <= Math.max(headersChanged, changed(source))) {
                work.add(() -> {
                    run(command(source, object));
                    return null;
                });
            }
        }
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (Future<Void> done : threads.invokeAll(work)) {
                done.get();
            }
        } finally {
            threads.shutdown();
        }
        return compiled;
    }

    private List<String> command(Path source, Path object) {
        String name = source.getFileName().toString();
        List<String> command = new ArrayList<>();
        command.add(compiler);
        command.addAll(FLAGS);
        command.addAll(isStrict ? List.of("-Werror") : List.of());
        command.addAll(optimisation);
        command.addAll(name.startsWith("jni_") ? BORDER_FLAGS : List.of());
        command.addAll(instructions(source));
        Path jdk = Path.of(System.getProperty("java.home"), "include");
        for (Path folder : List.of(base.resolve("src/main/c"), base.resolve("src/test/c"), jdk, jdk.resolve("linux"))) {
            command.add("-I" + folder);
        }
        command.addAll(List.of("-c", source.toString(), "-o", object.toString()));
        return command;
    }

    /** Returns the flags for instructions beyond those of every x86-64. */
    private static List<String> instructions(Path source) {
        String name = source.getFileName().toString();
        return name.contains("_avx512") ? AVX512_FLAGS : name.contains("_adx") ? ADX_FLAGS : List.of();
    }

    private void link(List<Path> parts, Path target, List<String> flags) throws IOException, InterruptedException {
        long partsChanged = 0;
        for (Path part : parts) {
            partsChanged = Math.max(partsChanged, changed(part));
        }
        if (changed(target) > partsChanged) {
            return;
        }
        Files.createDirectories(target.getParent());
        run(linking(parts, target, flags));
    }

    private List<String> linking(List<Path> parts, Path target, List<String> flags) {
        List<String> command = new ArrayList<>();
        command.add(compiler);
        command.addAll(optimisation);
        parts.forEach(part -> command.add(part.toString()));
        command.addAll(flags);
        command.addAll(List.of("-o", target.toString()));
        return command;
    }

    private List<Path> sources(String folder, String ending) throws IOException {
        try (Stream<Path> found = Files.list(base.resolve(folder))) {
            return new ArrayList<>(found.filter(path -> path.toString().endsWith(ending)).sorted().toList());
        }
    }

    /** Returns when the newest header of a folder changed. */
    private long newest(String folder) throws IOException {
        return sources(folder, ".h").stream().mapToLong(NativeBuild::changed).max().orElse(0);
    }

    /** Returns milliseconds since 1970; 0 for what does not exist. */
    private static long changed(Path path) {
        try {
            return Files.exists(path) ? Files.getLastModifiedTime(path).toMillis() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isThere(String compiler) throws InterruptedException {
        try {
            return new ProcessBuilder(compiler, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException("exit status " + status + ": " + String.join(" ", command));
        }
    }
}
