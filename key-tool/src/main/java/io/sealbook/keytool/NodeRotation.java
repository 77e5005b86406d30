package io.sealbook.keytool;

import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.PassphraseSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The rotation of a node's identity key. Keys of nodes do not overlap (decision 44): one transaction replaces the node,
 * and the process with the former key ends.
 *
 * @param directory of the node
 * @param nodeId position in the list of nodes
 * @param passphrase of the present key
 */
record NodeRotation(Path directory, int nodeId, PassphraseSettings passphrase) implements Rotation {
    private static final String SETTINGS = "node.properties";
    private static final String KEY = "node.key";

    static NodeRotation read(Path directory) throws IOException {
        Path file = directory.resolve(SETTINGS);
        if (!Files.exists(file)) {
            throw new IOException(directory + " has neither " + BrokerRotation.SETTINGS + " nor " + SETTINGS);
        }
        SettingsFile settings = SettingsFile.read(file);
        return new NodeRotation(
                directory, settings.unsigned("node-id"), settings.passphrase().in(directory));
    }

    @Override
    public Path presentKey() {
        return directory.resolve(KEY);
    }

    @Override
    public Path newKey() {
        return directory.resolve(KEY + ".next");
    }

    @Override
    public String proposal() {
        return "admin propose --node-dir NODE_DIR --replace-node " + nodeId + ":" + NewKeyFiles.publicFile(newKey())
                + REASON + " --out replace-node-" + nodeId + ".json";
    }

    @Override
    public String nextStep() {
        return "give " + NewKeyFiles.publicFile(newKey()) + " and its fingerprint to a member, who makes this proposal;"
                + " when it is executed, this node ends with exit code 66: start it as a new machine, with "
                + newKey().getFileName() + " as " + KEY + ", "
                + NeverVotedMark.file(newKey()).getFileName() + " as "
                + NeverVotedMark.file(presentKey()).getFileName() + " and without data";
    }
}
