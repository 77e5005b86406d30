package io.sealbook.crypto;

import java.io.IOException;
import java.nio.file.Path;

/**
 * An encrypted key file stays closed: its passphrase is wrong, or none can be had. The message is one line that names
 * the file and what to do.
 */
public final class KeyPassphraseException extends IOException {
    private static final long serialVersionUID = 1;

    /** Exit code of a command or process that ends for this reason: EX_NOPERM of sysexits.h. */
    public static final int EXIT_CODE = 77;

    /** Returns the failure for a wrong passphrase, which often cannot be told from a damaged file. */
    public static KeyPassphraseException wrong(Path file) {
        return new KeyPassphraseException("wrong passphrase for " + file + ", or the file is damaged");
    }

    /** @param message one line */
    public KeyPassphraseException(String message) {
        super(message);
    }
}
