package io.sealbook.keytool;

import io.sealbook.crypto.PassphraseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The exchange of the key of a directory for a new one, which the members must approve. */
sealed interface Rotation permits BrokerRotation, NodeRotation {
    /** Why the transactions are proposed. */
    String REASON = " --reason rotation";

    /**
     * Reads the settings of a broker's or node's directory.
     *
     * @param directory has {@code broker.properties} or {@code node.properties}
     * @param keyId of the new key of a broker; null: the one after the highest known
     * @throws IOException if there are no such settings, or they do not name what a rotation needs
     */
    static Rotation of(Path directory, Long keyId) throws IOException {
        if (Files.exists(directory.resolve(BrokerRotation.SETTINGS))) {
            return BrokerRotation.read(directory, keyId);
        }
        if (keyId != null) {
            throw new IOException("--key-id is for a directory with " + BrokerRotation.SETTINGS);
        }
        return NodeRotation.read(directory);
    }

    /** Returns the file of the key that is used at present. */
    Path presentKey();

    /** Returns where the passphrase of the present key is. */
    PassphraseSettings passphrase();

    /** Returns the file of the new key. */
    Path newKey();

    /** Returns what its owner should know before the new key is proposed. */
    default Optional<String> warning() {
        return Optional.empty();
    }

    /** Returns the command with which a member proposes the new key. */
    String proposal();

    /** Returns what its owner does when the new key is made, as one line. */
    String nextStep();
}
