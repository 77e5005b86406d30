package io.sealbook.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The checkout that this build runs in: every file that a commit may hold, without git's help. */
final class Checkout {
    /** Folders of build outputs and of development environments. */
    private static final Set<String> NEVER = Set.of("target", "work", "node_modules");

    private final Path root;

    private Checkout(Path root) {
        this.root = root;
    }

    /** Finds the root above the working directory by its {@code mvnw}. */
    static Checkout find() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("no mvnw above " + Path.of("").toAbsolutePath());
            }
        }
        return new Checkout(folder);
    }

    Path root() {
        return root;
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path));
    }

    /** Returns the folders with a pom below the root, sorted. */
    List<String> modules() {
        try (Stream<Path> listed = Files.list(root)) {
            return listed.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all files that hold UTF-8 text, sorted by path. */
    List<TextFile> textFiles() {
        List<TextFile> files = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    String name = folder.getFileName().toString();
                    boolean isHidden = name.startsWith(".") && !name.equals(".ci");
                    return !folder.equals(root) && (isHidden || NEVER.contains(name))
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    String path = root.relativize(file).toString().replace('\\', '/');
                    if (attributes.isRegularFile() && !path.equals(".git")) {
                        text(Files.readAllBytes(file)).ifPresent(text -> files.add(TextFile.of(path, text)));
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(Comparator.comparing(TextFile::path));
        return files;
    }

    /** Returns nothing for bytes that are not UTF-8. */
    private static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
