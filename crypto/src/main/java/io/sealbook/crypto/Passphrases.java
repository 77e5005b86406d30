package io.sealbook.crypto;

import java.io.Console;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The three places of a passphrase: a file, a variable of the environment, and the person at the console. */
public final class Passphrases {
    /** Characters of a new passphrase at least. An existing key may have a shorter one. */
    public static final int NEW_LENGTH_MIN = 8;

    private static final int FILE_LENGTH_MAX = 4096;

    private Passphrases() {}

    /**
     * Returns the first line of a file, in UTF-8 and without its line break.
     *
     * @param file must be readable by its owner alone, where the file system has modes
     */
    public static PassphraseSource ofFile(Path file) {
        return keyFile -> read(file);
    }

    /**
     * Returns the value of an environment variable.
     *
     * @param name of the variable
     * @param environment returns the value of a variable, or null
     */
    public static PassphraseSource ofVariable(String name, UnaryOperator<String> environment) {
        return keyFile -> {
            String value = environment.apply(name);
            if (value == null || value.isEmpty()) {
                throw new KeyPassphraseException(
                        keyFile + " is encrypted, and the environment variable " + name + " is not set");
            }
            return value.toCharArray();
        };
    }

    /** Returns what a person types without echo. */
    public static PassphraseSource ofConsole() {
        return keyFile -> ask("Passphrase of " + keyFile + ": ", keyFile);
    }

    /** Returns what a person types twice. */
    public static PassphraseSource ofConsoleTwice() {
        return keyFile -> {
            char[] first = ask("New passphrase of " + keyFile + ": ", keyFile);
            char[] second = ask("The same again: ", keyFile);
            boolean isSame = Arrays.equals(first, second);
            Arrays.fill(second, '\0');
            if (!isSame) {
                Arrays.fill(first, '\0');
                throw new KeyPassphraseException("the two passphrases for " + keyFile + " differ, nothing is written");
            }
            return first;
        };
    }

    /** Returns whether a person can be asked. */
    public static boolean isConsoleThere() {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            // From Java 22 on there is a console object without a terminal too.
            return (Boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    private static char[] ask(String question, Path keyFile) throws KeyPassphraseException {
        char[] typed = System.console().readPassword("%s", question);
        if (typed == null || typed.length == 0) {
            throw new KeyPassphraseException("no passphrase typed for " + keyFile);
        }
        return typed;
    }

    private static char[] read(Path file) throws IOException {
        requireOwnerOnly(file);
        byte[] bytes = Files.readAllBytes(file);
        try {
            if (bytes.length > FILE_LENGTH_MAX) {
                throw new IOException(
                        file + " has " + bytes.length + " bytes, a passphrase file has at most " + FILE_LENGTH_MAX);
            }
            int length = 0;
            while (length < bytes.length && bytes[length] != '\n' && bytes[length] != '\r') {
                length++;
            }
            if (length == 0) {
                throw new KeyPassphraseException("the first line of passphrase file " + file + " is empty");
            }
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            char[] passphrase = new char[text.remaining()];
            text.get(passphrase);
            Arrays.fill(text.array(), '\0');
            return passphrase;
        } catch (CharacterCodingException e) {
            throw new IOException("passphrase file " + file + " is not UTF-8", e);
        } finally {
            Arrays.fill(bytes, (byte) 0);
        }
    }

    private static void requireOwnerOnly(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new KeyPassphraseException(file + ": there is no such passphrase file");
        }
        Optional<String> fault = SecretFile.fault(file);
        if (fault.isPresent()) {
            throw new KeyPassphraseException("passphrase file " + fault.get());
        }
    }
}
