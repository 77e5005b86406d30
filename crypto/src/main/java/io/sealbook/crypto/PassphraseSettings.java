package io.sealbook.crypto;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Where a process finds the passphrase of a key file. Every program of the platform has these keys; those for its key
 * of TLS begin with {@code tls-}:
 *
 * <pre>
 *   key                  meaning
 *   key-passphrase-file  file whose first line is the passphrase; its owner alone may read it
 *   key-passphrase-env   name of the environment variable that is the passphrase
 * </pre>
 *
 * Without both, the console is asked if there is one. A passphrase itself is never a setting.
 *
 * @param prefix begins both keys; empty for those of the signing key
 * @param file from the process's directory unless absolute; empty if the key is not set
 * @param variable name of the variable; empty if the key is not set
 */
public record PassphraseSettings(String prefix, Optional<Path> file, Optional<String> variable) {
    public static final String FILE_KEY = "key-passphrase-file";
    public static final String VARIABLE_KEY = "key-passphrase-env";

    /** No file and no variable. */
    public static final PassphraseSettings NONE = new PassphraseSettings("", Optional.empty(), Optional.empty());

    public PassphraseSettings {
        if (file.isPresent() && variable.isPresent()) {
            throw new IllegalArgumentException(
                    prefix + FILE_KEY + " and " + prefix + VARIABLE_KEY + " are both set, one is enough");
        }
    }

    /**
     * Reads the settings of the signing key.
     *
     * @param source returns the value of a key, or null if it is not set
     * @throws IllegalArgumentException if both keys are set
     */
    public static PassphraseSettings of(UnaryOperator<String> source) {
        return of("", source);
    }

    /**
     * Reads settings.
     *
     * @param prefix begins both keys
     * @param source returns the value of a key, or null if it is not set
     * @throws IllegalArgumentException if both keys are set
     */
    public static PassphraseSettings of(String prefix, UnaryOperator<String> source) {
        return new PassphraseSettings(
                prefix, value(source, prefix + FILE_KEY).map(Path::of), value(source, prefix + VARIABLE_KEY));
    }

    private static Optional<String> value(UnaryOperator<String> source, String key) {
        return Optional.ofNullable(source.apply(key)).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** Returns these settings with their file in a directory. */
    public PassphraseSettings in(Path directory) {
        return new PassphraseSettings(prefix, file.map(directory::resolve), variable);
    }

    /** Returns the source that the settings name; without one the console, if a person sits there. */
    public PassphraseSource source() {
        return named().orElseGet(() ->
                Passphrases.isConsoleThere() ? Passphrases.ofConsole() : refusing(", or start it at a console"));
    }

    /** Returns the source that the settings name, for a thread on which nobody is asked. */
    public PassphraseSource unattended() {
        return named().orElseGet(() -> refusing("; nobody is asked while the process runs"));
    }

    /** Returns whether a file or a variable is set. */
    public boolean isNamed() {
        return file.isPresent() || variable.isPresent();
    }

    private Optional<PassphraseSource> named() {
        return file.map(Passphrases::ofFile)
                .or(() -> variable.map(name -> Passphrases.ofVariable(name, System::getenv)));
    }

    private PassphraseSource refusing(String further) {
        return keyFile -> {
            throw new KeyPassphraseException(
                    keyFile + " is encrypted: set " + prefix + FILE_KEY + " or " + prefix + VARIABLE_KEY + further);
        };
    }
}
