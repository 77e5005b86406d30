package io.sealbook.consensus.doctor;

import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.administration.MemberGateway;
import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.survey.PresentCluster;
import io.sealbook.crypto.KeyPassphraseException;
import io.sealbook.keytool.Finding;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Genesis;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at the directory of a node, at its machine and at the other members, and names what is wrong. Changes nothing;
 * it writes one file of some megabytes to measure the disk and deletes it. One thread.
 */
public final class NodeDoctor {
    private final NodeDirectory files;
    private final long timeoutMs;
    private final List<Finding> findings = new ArrayList<>();
    /** Why the key did not open. It is not tried again: a hardware module locks itself after some wrong PINs. */
    private Optional<KeyPassphraseException> keyFailure = Optional.empty();

    /**
     * Looks at nothing yet.
     *
     * @param files of a node, which may run
     * @param timeoutMs longest wait for the answer of a member
     */
    public NodeDoctor(NodeDirectory files, long timeoutMs) {
        this.files = files;
        this.timeoutMs = timeoutMs;
    }

    /** Returns the findings of all checks. A check that needs what another one found broken is left out. */
    public List<Finding> run() {
        findings.addAll(MachineChecks.run());
        if (!Files.isDirectory(files.root())) {
            findings.add(
                    Finding.fail("directory", "there is no directory " + files.root(), "name the node's directory"));
            return findings;
        }
        findings.addAll(DiskChecks.run(files));
        Optional<NodeConfig> config = settings();
        Optional<GenesisFile> genesis = genesis();
        if (config.isEmpty() || genesis.isEmpty()) {
            return findings;
        }
        int nodeId = config.get().nodeId();
        Genesis present = present(config.get(), genesis.get().genesis());
        int count = present.getNodesCount();
        if (nodeId >= count) {
            findings.add(Finding.fail(
                    "settings",
                    "node-id=" + nodeId + ", there are " + count + " nodes at present",
                    "correct node-id, or wait for the transaction that adds the node"));
            return findings;
        }
        CheckedNode node = new CheckedNode(files, config.get(), genesis.get(), present);
        findings.addAll(FileChecks.run(node, keyFailure));
        findings.addAll(CertificateChecks.run(node));
        MemberChecks members = new MemberChecks(node, timeoutMs);
        findings.addAll(PortChecks.run(node, members.selfAnswers()));
        findings.addAll(members.run());
        return findings;
    }

    private Optional<NodeConfig> settings() {
        try {
            NodeConfig config = NodeConfig.read(files);
            findings.add(
                    config.experiment().isLaboratory()
                            ? Finding.warn(
                                    "settings",
                                    "laboratory=true: a node of experiments",
                                    "never in production: remove laboratory and experiment.*")
                            : Finding.ok(
                                    "settings",
                                    "node " + config.nodeId() + ", durability "
                                            + config.durability().name().toLowerCase(java.util.Locale.ROOT)));
            return Optional.of(config);
        } catch (IOException | ConfigException e) {
            findings.add(Finding.fail("settings", FailureText.of(e), "correct " + files.propertiesFile()));
            return Optional.empty();
        }
    }

    /** Reads what this directory knows of the chain's nodes, and asks those that answer. */
    private Genesis present(NodeConfig config, Genesis genesis) {
        try {
            Genesis known = PresentCluster.known(files, genesis);
            MemberGateway.Access access;
            try {
                // First, so that a passphrase of its key is not taken for that of the node's key.
                config.network().tls().in(files.root()).open();
                access = access();
            } catch (IOException | RuntimeException e) {
                // Without its key or certificate the node cannot ask; their checks name the reason.
                return known;
            }
            return PresentCluster.ask(known, access, timeoutMs);
        } catch (IOException e) {
            findings.add(Finding.fail("known nodes", FailureText.of(e), "make the file readable for this user"));
            return genesis;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return genesis;
        }
    }

    private MemberGateway.Access access() throws IOException {
        try {
            return MemberGateway.Access.of(files.root());
        } catch (KeyPassphraseException e) {
            keyFailure = Optional.of(e);
            throw e;
        }
    }

    private Optional<GenesisFile> genesis() {
        try {
            GenesisFile genesis = files.readGenesis();
            findings.add(Finding.ok("genesis", "digest " + genesis.digest().hex()));
            return Optional.of(genesis);
        } catch (IOException | IllegalArgumentException e) {
            findings.add(Finding.fail("genesis", FailureText.of(e), "copy the file of another member"));
            return Optional.empty();
        }
    }
}
