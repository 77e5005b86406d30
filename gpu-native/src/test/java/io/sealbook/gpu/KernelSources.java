package io.sealbook.gpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The kernels' sources by file name, and the PTX file that is made of them. */
final class KernelSources {
    static final String MAIN_FILE = "kernels.cu";
    static final Path PTX_FILE = Path.of("src/main/resources/io/sealbook/gpu", KernelImage.RESOURCE);

    private static final Path DIRECTORY = Path.of("src/main/cuda");
    private static final String HASH_LABEL = "// sources-sha256: ";

    private final SortedMap<String, String> files = new TreeMap<>();

    KernelSources() throws IOException {
        try (Stream<Path> paths = Files.list(DIRECTORY)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                files.put(path.getFileName().toString(), Files.readString(path));
            }
        }
    }

    String mainFile() {
        return files.get(MAIN_FILE);
    }

    /** Returns what the main file includes. */
    Map<String, String> headers() {
        SortedMap<String, String> headers = new TreeMap<>(files);
        headers.remove(MAIN_FILE);
        return headers;
    }

    /** Returns the hash over names and contents, in the order of names. */
    String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach((name, content) -> {
                digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
                digest.update(content.getBytes(StandardCharsets.UTF_8));
            });
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Returns the checked-in file's text for what the compiler made: a head that names the sources, and no comments of
     * the compiler's.
     */
    String ptxFile(String compiled, String compiler) {
        StringBuilder text = new StringBuilder();
        text.append(
                "// The kernels of src/main/cuda. Made by src/build/build-ptx.sh, which makes it again bit for bit.\n");
        text.append(HASH_LABEL).append(hash()).append('\n');
        text.append("// compiler: ").append(compiler).append('\n');
        compiled.lines()
                .filter(line -> !line.strip().startsWith("//") && !line.isBlank())
                .forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    /** Returns the hash that a PTX file says its sources had. */
    static String hashIn(String ptxFile) {
        return ptxFile.lines()
                .filter(line -> line.startsWith(HASH_LABEL))
                .map(line -> line.substring(HASH_LABEL.length()))
                .findFirst()
                .orElse("none");
    }
}
