package io.sealbook.crypto;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Where a process finds the passphrase of its key file. Every program of the platform has these keys:
 *
 * <pre>
 *   key                  meaning
 *   key-passphrase-file  file whose first line is the passphrase; its owner alone may read it
 *   key-passphrase-env   name of the environment variable that is the passphrase
 * </pre>
 *
 * Without both, the console is asked if there is one. A passphrase itself is never a setting.
 *
 * @param file from the process's directory unless absolute; empty if the key is not set
 * @param variable name of the variable; empty if the key is not set
 */
public record PassphraseSettings(Optional<Path> file, Optional<String> variable) {
    public static final String FILE_KEY = "key-passphrase-file";
    public static final String VARIABLE_KEY = "key-passphrase-env";

    /** No file and no variable. */
    public static final PassphraseSettings NONE = new PassphraseSettings(Optional.empty(), Optional.empty());

    public PassphraseSettings {
        if (file.isPresent() && variable.isPresent()) {
            throw new IllegalArgumentException(FILE_KEY + " and " + VARIABLE_KEY + " are both set, one is enough");
        }
    }

    /**
     * Reads settings.
     *
     * @param source returns the value of a key, or null if it is not set
     * @throws IllegalArgumentException if both keys are set
     */
    public static PassphraseSettings of(UnaryOperator<String> source) {
        return new PassphraseSettings(value(source, FILE_KEY).map(Path::of), value(source, VARIABLE_KEY));
    }

    private static Optional<String> value(UnaryOperator<String> source, String key) {
        return Optional.ofNullable(source.apply(key)).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** Returns these settings with their file in a directory. */
    public PassphraseSettings in(Path directory) {
        return new PassphraseSettings(file.map(directory::resolve), variable);
    }

    /** Returns the source that the settings name; without one the console, if a person sits there. */
    public PassphraseSource source() {
        if (file.isPresent()) {
            return Passphrases.ofFile(file.get());
        }
        if (variable.isPresent()) {
            return Passphrases.ofVariable(variable.get(), System::getenv);
        }
        return Passphrases.isConsoleThere() ? Passphrases.ofConsole() : PassphraseSettings::refuse;
    }

    private static char[] refuse(Path keyFile) throws KeyPassphraseException {
        throw new KeyPassphraseException(
                keyFile + " is encrypted: set " + FILE_KEY + " or " + VARIABLE_KEY + ", or start it at a console");
    }
}
