package io.sealbook.skips;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The Java installations of this machine, in the directories in which {@code mvnw} looks for one. */
public final class JavaHomes {
    private JavaHomes() {}

    /** Returns the home of a Java of this major version, which may lack a compiler. */
    public static Optional<Path> find(int major) {
        Path home = Path.of(System.getProperty("user.home"));
        return Stream.of(
                        Path.of(System.getProperty("java.home")).getParent(),
                        Path.of("/usr/lib/jvm"),
                        Path.of("/usr/java"),
                        Path.of("/opt/java"),
                        Path.of("/opt"),
                        home.resolve(".sdkman/candidates/java"),
                        home.resolve(".jdks"))
                .flatMap(parent -> children(parent).stream())
                .filter(each -> Files.isExecutable(each.resolve("bin/java")) && major(each) == major)
                .findFirst();
    }

    private static List<Path> children(Path parent) {
        try (Stream<Path> listed = Files.list(parent)) {
            return listed.sorted(Comparator.naturalOrder()).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the major version that the installation's file {@code release} names; 0 if it names none. */
    private static int major(Path home) {
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            return lines.filter(line -> line.startsWith("JAVA_VERSION="))
                    .findFirst()
                    .map(line -> line.replaceAll("[^0-9.]", "").split("\\.")[0])
                    .map(Integer::valueOf)
                    .orElse(0);
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
    }
}
