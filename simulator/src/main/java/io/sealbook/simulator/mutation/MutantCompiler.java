package io.sealbook.simulator.mutation;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles sources with mistakes against the classes without. One thread. */
public final class MutantCompiler implements AutoCloseable {
    private static final String RELEASE = "21";

    private final JavaCompiler compiler;
    private final StandardJavaFileManager files;

    /**
     * Opens the compiler.
     *
     * @param classPath of the classes without mistakes
     * @throws IllegalStateException if this is no JDK
     */
    public MutantCompiler(List<Path> classPath) {
        compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("no compiler in this Java: mutants need a JDK");
        }
        files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
        try {
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compiles the source of a mutant.
     *
     * @param mutant for messages, and the name of the file
     * @param source with the mistake
     * @param output directory for the classes; emptied by the caller
     * @throws StaleMutantException if it does not compile
     */
    public void compile(Mutant mutant, String source, Path output) {
        StringWriter messages = new StringWriter();
        try {
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(Files.createDirectories(output)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> options = List.of("--release", RELEASE, "-proc:none", "-nowarn", "-Xlint:none", "-g");
        boolean isCompiled = compiler.getTask(
                        messages, files, null, options, null, List.of(new Source(mutant.file(), source)))
                .call();
        if (!isCompiled) {
            throw new StaleMutantException(mutant, "it does not compile: " + messages);
        }
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String content;

        Source(String file, String content) {
            super(URI.create("mutant:///" + file), JavaFileObject.Kind.SOURCE);
            this.content = content;
        }

        @Override
        public CharSequence getCharContent(boolean isIgnored) {
            return content;
        }
    }
}
