package io.sealbook.keytool;

import io.sealbook.crypto.PassphraseSource;
import io.sealbook.crypto.Pkcs11KeyFile;
import io.sealbook.crypto.VerificationKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** The hardware module that makes and keeps a new key. */
final class ModuleOptions {
    @Option(
            names = "--pkcs11-library",
            paramLabel = "FILE",
            description = "Makes the key in the hardware module with this PKCS#11 library; FILE names it. The"
                    + " passphrase is the module's PIN.")
    private Path library;

    @Option(
            names = "--pkcs11-slot",
            paramLabel = "NUMBER",
            description = "Slot of the token. Default: the first one that has a token.")
    private Long slot;

    @Option(
            names = "--pkcs11-label",
            paramLabel = "TEXT",
            description = "Label of the key in the token. Default: ${DEFAULT-VALUE}.",
            defaultValue = "sealbook")
    private String label;

    boolean isNamed() {
        return library != null;
    }

    /**
     * Makes a key in the module, and the file that names it.
     *
     * @param file new
     * @param pin asked once
     */
    VerificationKey generate(Path file, PassphraseSource pin) throws IOException {
        OptionalLong number = slot == null ? OptionalLong.empty() : OptionalLong.of(slot);
        char[] chars = pin.passphrase(file);
        try {
            return Pkcs11KeyFile.make(file, library.toAbsolutePath(), number, label, chars);
        } finally {
            Arrays.fill(chars, '\0');
        }
    }
}
