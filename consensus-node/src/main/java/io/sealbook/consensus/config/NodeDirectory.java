package io.sealbook.consensus.config;

import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The files of one node, by name.
 *
 * <pre>
 *   node0/
 *     genesis.json        the cluster's agreed start, same bytes at every member
 *     genesis-signatures.json  who signed it, if the members held a ceremony
 *     node.properties     this operator's settings; a follower has follower.properties instead
 *     node.key            identity key, readable by the owner only; see KeyFile for its formats
 *     node.key.never-voted  that this key has signed no vote; from who made the key to the first start
 *     tls/                certificate.pem, key.pem, trusted.pem, unless the settings name other files
 *     engine.key          shared with an engine on another machine, if this node or follower has one there
 *     auditor.key         of a follower that is an auditor to its sources
 *     engine.properties   settings of this node's matching engine
 *     archive/            blocks, for ever
 *     replica-log/        what this replica must not forget about its votes
 *     replica-mark/       that this replica has voted; reveals the loss of replica-log/
 *     payload-log/        batches that wait for their block
 *     session-heads/      how far each session of a broker has come; rebuilt from archive/ if it is lost
 *     known-nodes.json    present nodes and the addresses that they signed; comes back from them if it is lost
 *     members.proof       of an operator, by which a node that is epochs behind finds the others; mostly absent
 *     evidence/           batches that brokers signed under one number
 *     queue/blocks        committed blocks, node to engine
 *     queue/results       block results, engine to node
 *     queue/isolation     why the node is isolated, while it is
 *     engine/             the engine's snapshots and database
 * </pre>
 */
public record NodeDirectory(Path root) {
    /** Name of the file of the members' signatures, beside the genesis file. */
    public static final String GENESIS_SIGNATURES = "genesis-signatures.json";

    public Path genesisFile() {
        return root.resolve("genesis.json");
    }

    /** Returns the members' signatures of the genesis file; the file may be absent. */
    public Path genesisSignaturesFile() {
        return root.resolve(GENESIS_SIGNATURES);
    }

    public Path propertiesFile() {
        return root.resolve("node.properties");
    }

    /** Returns the settings of a follower, whose directory has no other file of a node but archive and queues. */
    public Path followerPropertiesFile() {
        return root.resolve("follower.properties");
    }

    public Path keyFile() {
        return root.resolve("node.key");
    }

    /** Returns the mark that the identity key has never voted; its file goes at the node's first start. */
    public NeverVotedMark neverVoted(VerificationKey identity) {
        return NeverVotedMark.of(keyFile(), identity);
    }

    public Path enginePropertiesFile() {
        return root.resolve("engine.properties");
    }

    /** Returns the key that a node shares with its engine on another machine. */
    public Path engineKeyFile() {
        return root.resolve("engine.key");
    }

    /** Returns the key of the auditor that a follower is to its sources. */
    public Path auditorKeyFile() {
        return root.resolve("auditor.key");
    }

    /** Returns the directory and those below it that grow, each of which may be on a disk of its own. */
    public List<Path> written() {
        return List.of(root, archive(), replicaLog(), payloadLog(), blockQueue().getParent());
    }

    public Path archive() {
        return root.resolve("archive");
    }

    public Path replicaLog() {
        return root.resolve("replica-log");
    }

    public Path replicaMark() {
        return root.resolve("replica-mark");
    }

    public Path payloadLog() {
        return root.resolve("payload-log");
    }

    public Path sessionHeads() {
        return root.resolve("session-heads");
    }

    public Path evidence() {
        return root.resolve("evidence");
    }

    /** Returns the membership proof by which a node that is epochs behind finds the others; mostly absent. */
    public Path membershipProofFile() {
        return root.resolve("members.proof");
    }

    /** Returns the file of present nodes and their signed addresses; absent before the node's first start. */
    public Path knownNodesFile() {
        return root.resolve("known-nodes.json");
    }

    public Path blockQueue() {
        return root.resolve("queue").resolve("blocks");
    }

    /** Returns the file that says why the node is isolated; absent while it is not. */
    public Path isolationFile() {
        return root.resolve("queue").resolve("isolation");
    }

    public Path resultQueue() {
        return root.resolve("queue").resolve("results");
    }

    /**
     * Returns what signs with the identity key.
     *
     * @param passphrase of this directory's settings
     * @throws io.sealbook.crypto.KeyPassphraseException if the file is encrypted and does not open
     * @throws IOException if it cannot be read
     */
    public Signer readKey(PassphraseSettings passphrase) throws IOException {
        return KeyFile.readSigner(keyFile(), passphrase.in(root).source());
    }

    /** Returns the genesis of this directory, checked. */
    public GenesisFile readGenesis() throws IOException {
        return GenesisFile.parse(Files.readAllBytes(genesisFile()));
    }
}
