package io.sealbook.perf.siege.hole;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/**
 * Puts classes with a hole in the place of those of a program, whatever jar and loader they come from. The virtual
 * machine starts it before the program; it depends on nothing else. Any thread.
 */
public final class HoleAgent implements ClassFileTransformer {
    private final Path classes;

    private HoleAgent(Path classes) {
        this.classes = classes;
    }

    /**
     * Is called by the virtual machine before the program begins.
     *
     * @param directory of the classes with the hole
     * @param machine loads classes
     */
    public static void premain(String directory, Instrumentation machine) {
        machine.addTransformer(new HoleAgent(Path.of(directory)));
    }

    @Override
    public byte[] transform(
            ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] original) {
        if (name == null || !name.startsWith("io/sealbook/")) {
            return null;
        }
        Path file = classes.resolve(name + ".class");
        try {
            return Files.exists(file) ? Files.readAllBytes(file) : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
