package io.sealbook.crypto;

import java.io.IOException;
import java.nio.file.Path;

/** Where the passphrase of a key file comes from. It is asked only if the file is encrypted. */
@FunctionalInterface
public interface PassphraseSource {
    /** There is no passphrase: encrypted files stay closed. */
    PassphraseSource NONE = keyFile -> {
        throw new KeyPassphraseException(keyFile + " is encrypted, and no passphrase is named");
    };

    /**
     * Returns a passphrase, which the caller wipes after use.
     *
     * @param keyFile that it is for, to name in a question or a failure
     * @throws KeyPassphraseException if there is none
     * @throws IOException if its file cannot be read
     */
    char[] passphrase(Path keyFile) throws IOException;
}
