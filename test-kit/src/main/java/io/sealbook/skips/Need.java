package io.sealbook.skips;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a test or a build step may need and a machine may lack. The reason of a skip names each of them: "needs gcc:
 * ...".
 *
 * <p>The probes look at the machine alone and not at what the build made, so that a native library that failed to build
 * on a machine with gcc counts as a skip that the machine could serve.
 */
public enum Need {
    GCC("gcc", "a C compiler named gcc on PATH") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("gcc");
        }
    },
    GXX("g++", "a C++ compiler named g++ on PATH") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("g++");
        }
    },
    VALGRIND("valgrind", "valgrind on PATH, with its header valgrind/memcheck.h") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("valgrind") && Files.exists(Path.of("/usr/include/valgrind/memcheck.h"));
        }
    },
    /** Other versions lay out some lines in another way. */
    CLANG_FORMAT("clang-format 14", "clang-format 14 on PATH") {
        @Override
        boolean isServed(Path root) {
            return output("clang-format", "--version").contains("version 14.");
        }
    },
    OPENSSL("openssl", "openssl on PATH") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("openssl");
        }
    },
    SOFTHSM("SoftHSM", "/usr/lib/softhsm/libsofthsm2.so and softhsm2-util, of Debian's softhsm2") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("softhsm2-util") && Files.exists(Path.of("/usr/lib/softhsm/libsofthsm2.so"));
        }
    },
    POSTGRESQL("PostgreSQL", "initdb of PostgreSQL on PATH or below /usr/lib/postgresql") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("initdb")
                    || !foldersWith("/usr/lib/postgresql", "bin/initdb").isEmpty();
        }
    },
    RECORDED_DAYS("recorded days", "recorded market data below ../shared/data or -Dsealbook.data=DIR") {
        @Override
        boolean isServed(Path root) {
            return Files.isDirectory(shared(root, "data").resolve("lobster"));
        }
    },
    VECTORS("vector files", "Wycheproof's vector files below ../shared/vectors or -Dsealbook.data=DIR/vectors") {
        @Override
        boolean isServed(Path root) {
            return Files.isDirectory(shared(root, "vectors"));
        }
    },
    AVX512_IFMA("AVX-512 IFMA", "a processor with AVX-512 IFMA and VBMI2") {
        @Override
        boolean isServed(Path root) {
            return hasProcessorFlag("avx512ifma") && hasProcessorFlag("avx512_vbmi2");
        }
    },
    ADX("MULX and ADX", "a processor with MULX (BMI2), ADX and AVX2") {
        @Override
        boolean isServed(Path root) {
            return hasProcessorFlag("bmi2") && hasProcessorFlag("adx") && hasProcessorFlag("avx2");
        }
    },
    JAVA_17("Java 17", "a Java 17 below /usr/lib/jvm, /usr/java, /opt or in the home directory") {
        @Override
        boolean isServed(Path root) {
            return JavaHomes.find(17).isPresent();
        }
    },
    JAVA_25("Java 25", "a build that runs on Java 25 or later") {
        @Override
        boolean isServed(Path root) {
            return Runtime.version().feature() >= 25;
        }
    },
    LINUX_X64("Linux on x86-64", "Linux on x86-64") {
        @Override
        boolean isServed(Path root) {
            return System.getProperty("os.name").equals("Linux")
                    && System.getProperty("os.arch").equals("amd64");
        }
    },
    GLIBC("glibc", "Linux on x86-64 with glibc: Netty brings its BoringSSL and epoll for it") {
        @Override
        boolean isServed(Path root) {
            return LINUX_X64.isServed(root) && Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"));
        }
    },
    PROC("/proc", "/proc of Linux") {
        @Override
        boolean isServed(Path root) {
            return Files.exists(Path.of("/proc/self/io"));
        }
    },
    POSIX_MODES("POSIX file modes", "a file system with POSIX file modes") {
        @Override
        boolean isServed(Path root) {
            return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        }
    },
    PYTHON("python3", "python3 on PATH") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("python3");
        }
    },
    NODE_JS("Node.js", "node of Node.js on PATH") {
        @Override
        boolean isServed(Path root) {
            return isOnPath("node");
        }
    },
    PRLIMIT("prlimit", "/usr/bin/prlimit of util-linux") {
        @Override
        boolean isServed(Path root) {
            return Files.isExecutable(Path.of("/usr/bin/prlimit"));
        }
    },
    MOUNT_NAMESPACES("mount namespaces", "unprivileged user and mount namespaces") {
        @Override
        boolean isServed(Path root) {
            return succeeds("unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt");
        }
    },
    SHARED_MEMORY("/dev/shm", "/dev/shm, writable: a file system beside that of the temporary folder") {
        @Override
        boolean isServed(Path root) {
            return Files.isWritable(Path.of("/dev/shm"));
        }
    },
    NVRTC("NVRTC", "NVIDIA's run-time compiler, whose directory a system property names") {
        /** Only the one who starts the build knows where it is. */
        @Override
        boolean isServed(Path root) {
            return false;
        }
    },
    CONTRACT_ENGINE(
            "the contract engine", "a contract engine, which perf/evm/build.sh makes with node, npm and cargo") {
        /** A build never makes it: it needs registries of other languages. */
        @Override
        boolean isServed(Path root) {
            return Files.isExecutable(root.resolve("perf/target/evm/contract-engine"));
        }
    },
    CUDA_DEVICE("a CUDA device", "a CUDA device") {
        @Override
        boolean isServed(Path root) {
            return Files.exists(Path.of("/dev/nvidia0"));
        }
    };

    private final String key;
    private final String description;

    Need(String key, String description) {
        this.key = key;
        this.description = description;
    }

    /** Returns the words that follow "needs" in a reason. */
    public String key() {
        return key;
    }

    /** Returns what the machine must have, for the reader of the table. */
    public String description() {
        return description;
    }

    /**
     * Returns whether this machine has it.
     *
     * @param root the checkout's folder, beside which recorded data may lie
     */
    abstract boolean isServed(Path root);

    /** Returns the needs that a reason names, in order of declaration; empty if it names none. */
    static List<Need> namedIn(String reason) {
        List<Need> named = new ArrayList<>();
        for (Need need : values()) {
            Matcher matcher = Pattern.compile("needs " + Pattern.quote(need.key) + "(?![\\w+])")
                    .matcher(reason);
            if (matcher.find()) {
                named.add(need);
            }
        }
        return named;
    }

    private static Path shared(Path root, String folder) {
        String given = System.getProperty("sealbook.data", "");
        if (!given.isEmpty()) {
            return folder.equals("data") ? Path.of(given) : Path.of(given, folder);
        }
        return root.toAbsolutePath().normalize().resolveSibling("shared").resolve(folder);
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        return path != null
                && Stream.of(path.split(":")).anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static List<Path> foldersWith(String parent, String file) {
        try (Stream<Path> listed = Files.list(Path.of(parent))) {
            return listed.filter(folder -> Files.exists(folder.resolve(file)))
                    .sorted(Comparator.naturalOrder())
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static boolean hasProcessorFlag(String flag) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("flags"))
                    .findFirst()
                    .map(line -> List.of(line.split("\\s+")).contains(flag))
                    .orElse(false);
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns what a command prints; nothing if there is no such program. */
    private static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean succeeds(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
