package io.sealbook.consensus.inspect;

import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;

/** Reads all files of a stopped node and compares them with each other. Changes nothing. One thread. */
public final class NodeInspection {
    private final NodeDirectory files;
    private final SignatureVerifier verifier;
    private final Report report;

    /**
     * Looks at nothing yet.
     *
     * @param files of the node
     * @param verifier checks the newest certificate; stays the caller's
     * @param report gets every fact and finding
     */
    public NodeInspection(NodeDirectory files, SignatureVerifier verifier, Report report) {
        this.files = files;
        this.verifier = verifier;
        this.report = report;
    }

    /**
     * Looks at everything.
     *
     * @throws IOException if the genesis file, the settings or the key cannot be read
     * @throws RunningNodeException if a node runs in the directory
     */
    public void run() throws IOException {
        NodeLocks.refuseRunningNode(files);
        GenesisFile genesis = files.readGenesis();
        NodeConfig config = NodeConfig.read(files);
        Node self = genesis.genesis().getNodes(config.nodeId());
        report.fact("genesis digest", genesis.digest().hex());
        report.fact("chain id", Long.toUnsignedString(genesis.genesis().getChainId()));
        report.fact("node", config.nodeId() + " of " + genesis.genesis().getNodesCount() + ", " + self.getName());
        inspectKey(self, config.passphrase());
        try (ArchivePart archive = ArchivePart.open(files, genesis, config, report)) {
            QueuePart queue = new QueuePart(files, archive.reader(), report);
            archive.inspect(verifier, queue);
            queue.inspectResults();
            new ReplicaLogPart(Files.exists(files.replicaMark().resolve(VoteMark.FILE)), report)
                    .inspect(files.replicaLog(), archive.reader());
            new EvidencePart(files.evidence(), report).inspect();
        }
    }

    private void inspectKey(Node self, PassphraseSettings passphrase) throws IOException {
        Signer signer = files.readKey(passphrase);
        byte[] point = signer.verificationKey().point();
        report.fact("identity scheme", signer.scheme().name());
        report.fact("identity point", hex(point));
        if (!Arrays.equals(point, self.getIdentity().getPoint().toByteArray())) {
            report.damaged("node.key is not the key that the genesis file names for node " + self.getNodeId());
        }
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
