package io.sealbook.engine.http;

import io.sealbook.engine.setup.DirectoryLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * Where the HTTP servers of an engine write while they run: below the engine's directory. In the system's directory for
 * temporary files, where Tomcat would write otherwise, a killed process leaves its files for ever, and a cleaner may
 * remove those of a running one.
 */
final class ServerFiles {
    private final Path directory;
    private final Path documents;
    private final Path answers;

    /**
     * Removes what the last process has left, but for access logs that the operator has switched on.
     *
     * @param lock of the engine's directory: no other engine's servers run there
     * @throws UncheckedIOException if the directory cannot be written
     */
    ServerFiles(DirectoryLock lock) {
        directory = lock.directory().http();
        // The pages are in the jar: no file is served from here.
        documents = directory.resolve("documents");
        answers = directory.resolve("answers");
        try {
            FileSystemUtils.deleteRecursively(directory.resolve("work"));
            FileSystemUtils.deleteRecursively(documents);
            FileSystemUtils.deleteRecursively(answers);
            Files.createDirectories(documents);
            Files.createDirectories(answers);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare " + directory, e);
        }
    }

    /** Returns where {@link LargeAnswers} are until they are read. */
    Path answers() {
        return answers;
    }

    /** Gives a server its directories; one that the operator has named ({@code server.tomcat.basedir}) stays. */
    void giveTo(TomcatServletWebServerFactory factory) {
        if (factory.getBaseDirectory() == null) {
            factory.setBaseDirectory(directory.toFile());
        }
        factory.setDocumentRoot(documents.toFile());
    }
}
