package io.sealbook.keytool;

import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.Passphrases;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where the passphrase of an existing key file comes from; never from the command line itself. */
public final class PassphraseOptions {
    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "File whose first line is the passphrase of the key file; mode 0600 or stricter.")
    private Path file;

    @Option(
            names = "--passphrase-env",
            paramLabel = "NAME",
            description = "Environment variable that is the passphrase of the key file. Without both options the"
                    + " console asks.")
    private String variable;

    /** Returns the source that the options name; without one the console, if a person sits there. */
    public PassphraseSource source() {
        return named(file, variable)
                .orElse(
                        Passphrases.isConsoleThere()
                                ? Passphrases.ofConsole()
                                : refusing("is encrypted: name its passphrase with --passphrase-file or"
                                        + " --passphrase-env"));
    }

    /** Returns the source for a file that is about to be written; the console asks twice. */
    PassphraseSource sourceOfNew() {
        return sourceOfNew(file, variable, "--passphrase-file or --passphrase-env; --plain writes it unencrypted");
    }

    /**
     * Returns the source for a file that is about to be written in a process's directory.
     *
     * @param settings of the process, which count if no option names a source
     */
    PassphraseSource sourceOfNew(PassphraseSettings settings) {
        return isNamed() || !settings.isNamed()
                ? sourceOfNew(file, variable, "--passphrase-file or --passphrase-env")
                : longEnough(settings.source());
    }

    /** Returns the options as settings of a process that may have another working directory. */
    PassphraseSettings settings() {
        return new PassphraseSettings(
                "", Optional.ofNullable(file).map(Path::toAbsolutePath), Optional.ofNullable(variable));
    }

    /**
     * Returns the source for a file that is about to be written.
     *
     * @param file named by an option, or null
     * @param variable named by an option, or null
     * @param options to name if there is no source
     */
    static PassphraseSource sourceOfNew(Path file, String variable, String options) {
        PassphraseSource source = named(file, variable)
                .orElse(
                        Passphrases.isConsoleThere()
                                ? Passphrases.ofConsoleTwice()
                                : refusing("is to be encrypted: name its passphrase with " + options));
        return longEnough(source);
    }

    private static PassphraseSource longEnough(PassphraseSource source) {
        return keyFile -> {
            char[] passphrase = source.passphrase(keyFile);
            if (passphrase.length < Passphrases.NEW_LENGTH_MIN) {
                throw new KeyPassphraseException("the passphrase for " + keyFile + " has " + passphrase.length
                        + " characters, a new one has at least " + Passphrases.NEW_LENGTH_MIN);
            }
            return passphrase;
        };
    }

    /** Returns whether an option names a source. */
    boolean isNamed() {
        return file != null || variable != null;
    }

    private static Optional<PassphraseSource> named(Path file, String variable) {
        if (file != null) {
            return Optional.of(Passphrases.ofFile(file));
        }
        return Optional.ofNullable(variable).map(name -> Passphrases.ofVariable(name, System::getenv));
    }

    private static PassphraseSource refusing(String reason) {
        return keyFile -> {
            throw new KeyPassphraseException(keyFile + " " + reason);
        };
    }
}
