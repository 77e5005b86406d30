package io.sealbook.skips;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes each disabled or aborted test, container or test factory of this virtual machine to {@code target/skips}.
 * JUnit finds it on the class path. Maven's own reports lack aborted classes and aborted test factories.
 *
 * <p>JUnit calls it on one thread, or on several if tests run in parallel.
 */
public final class SkipRecorder implements TestExecutionListener {
    /** JUnit puts it before the words of an assumption. */
    private static final String ASSUMPTION = "Assumption failed: ";

    private final Path module;
    private final Path file;

    /** Records for the module in whose folder the tests run. */
    public SkipRecorder() {
        this(Path.of(System.getProperty("basedir", "")));
    }

    /**
     * Records for a module.
     *
     * @param module the module's folder; its {@code target} is made if it is absent
     */
    public SkipRecorder(Path module) {
        this.module = module.toAbsolutePath().normalize();
        file = this.module
                .resolve("target/skips")
                .resolve("tests-" + ProcessHandle.current().pid() + ".tsv");
    }

    @Override
    public void executionSkipped(TestIdentifier identifier, String reason) {
        write(identifier, reason);
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            String message = result.getThrowable().map(Throwable::getMessage).orElse("no reason given");
            write(identifier, message.startsWith(ASSUMPTION) ? message.substring(ASSUMPTION.length()) : message);
        }
    }

    private synchronized void write(TestIdentifier identifier, String reason) {
        Skip skip = new Skip(module.getFileName().toString(), name(identifier), reason);
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(
                    file,
                    skip.toLine() + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(TestIdentifier identifier) {
        Optional<TestSource> source = identifier.getSource();
        if (source.isPresent() && source.get() instanceof MethodSource method) {
            return simple(method.getClassName());
        }
        if (source.isPresent() && source.get() instanceof ClassSource type) {
            return simple(type.getClassName());
        }
        return identifier.getDisplayName();
    }

    private static String simple(String className) {
        return className.substring(className.lastIndexOf('.') + 1);
    }
}
