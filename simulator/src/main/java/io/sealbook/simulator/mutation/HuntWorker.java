package io.sealbook.simulator.mutation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process that puts one mutant after the other in the place of its class and runs a {@link Finder}. The code around
 * it stays compiled, which makes a search many times cheaper than in a fresh process.
 *
 * <p>Reads lines of a directory with classes and arguments of the finder, separated by tabs; an empty directory name
 * stands for no mutant. Answers with one of the lines below, after what the finder prints.
 */
final class HuntWorker {
    private static final int FACT_LENGTH_MAX = 1_000;

    static final String FOUND = "FOUND ";
    static final String HELD = "HELD";
    /** The mutant has other methods than its class: it needs a process for itself. */
    static final String UNFIT = "UNFIT ";
    /** The process itself is wrong, for example because a jar of its class path was replaced. */
    static final String BROKEN = "BROKEN ";

    private static final String SUFFIX = ".class";

    private HuntWorker() {}

    /** Runs until its input ends; the argument is the name of the finder's class. */
    public static void main(String[] arguments) throws Exception {
        Finder finder =
                (Finder) Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            List<String> words = Arrays.asList(line.split("\t"));
            System.out.println(answer(finder, words.getFirst(), words.subList(1, words.size())));
            System.out.flush();
        }
    }

    private static String answer(Finder finder, String directory, List<String> arguments) throws IOException {
        List<ClassDefinition> mutated = new ArrayList<>();
        List<ClassDefinition> originals = new ArrayList<>();
        try {
            read(directory, mutated, originals);
            redefine(mutated);
        } catch (ClassNotFoundException | UnmodifiableClassException | UnsupportedOperationException e) {
            return UNFIT + e.getMessage();
        }
        try {
            return finder.find(arguments).map(fact -> FOUND + oneLine(fact)).orElse(HELD);
        } catch (ExceptionInInitializerError e) {
            return FOUND + oneLine(String.valueOf(e.getCause()));
        } catch (LinkageError e) {
            return BROKEN + oneLine(e.toString());
        } catch (RuntimeException | Error e) {
            return FOUND + oneLine(e.toString());
        } finally {
            restore(originals);
        }
    }

    /** An assertion may show all that a log holds. */
    private static String oneLine(String fact) {
        String line = fact.replaceAll("\\s+", " ");
        return line.length() <= FACT_LENGTH_MAX ? line : line.substring(0, FACT_LENGTH_MAX) + "...";
    }

    private static void read(String directory, List<ClassDefinition> mutated, List<ClassDefinition> originals)
            throws IOException, ClassNotFoundException {
        if (directory.isEmpty()) {
            return;
        }
        Path root = Path.of(directory);
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(SUFFIX)).toList()) {
                String resource = root.relativize(file).toString().replace('\\', '/');
                String name = resource.substring(0, resource.length() - SUFFIX.length())
                        .replace('/', '.');
                Class<?> original = Class.forName(name, false, HuntWorker.class.getClassLoader());
                mutated.add(new ClassDefinition(original, Files.readAllBytes(file)));
                originals.add(new ClassDefinition(original, originalOf(resource)));
            }
        }
    }

    private static byte[] originalOf(String resource) throws IOException {
        try (InputStream in = HuntWorker.class.getClassLoader().getResourceAsStream(resource)) {
            return in.readAllBytes();
        }
    }

    private static void redefine(List<ClassDefinition> classes)
            throws ClassNotFoundException, UnmodifiableClassException {
        HuntAgent.instrumentation().redefineClasses(classes.toArray(ClassDefinition[]::new));
    }

    private static void restore(List<ClassDefinition> originals) {
        try {
            redefine(originals);
        } catch (ClassNotFoundException | UnmodifiableClassException e) {
            throw new IllegalStateException("a class cannot be restored", e);
        }
    }
}
