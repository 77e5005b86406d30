package io.sealbook.consensus.inspect;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Optional;

/** Reads all files of a stopped node and compares them with each other. Changes nothing. One thread. */
public final class NodeInspection {
    private final NodeDirectory files;
    private final SignatureVerifier verifier;
    private final Optional<Long> around;
    private final Report report;

    /**
     * Looks at nothing yet.
     *
     * @param files of the node
     * @param verifier checks the newest certificate; stays the caller's
     * @param around block, at least 1, around which all results are printed; empty for the newest result alone
     * @param report gets every fact and finding
     */
    public NodeInspection(NodeDirectory files, SignatureVerifier verifier, Optional<Long> around, Report report) {
        this.files = files;
        this.verifier = verifier;
        this.around = around;
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
        report.fact("genesis digest", genesis.digest().hex());
        report.fact("chain id", Long.toUnsignedString(genesis.genesis().getChainId()));
        try (ArchivePart archive = ArchivePart.open(files, genesis, config, report)) {
            QueuePart queue = new QueuePart(files, archive.reader(), report);
            archive.inspect(verifier, queue);
            Membership membership = membership(genesis, archive.reader());
            inspectNode(config.nodeId(), membership);
            VerificationKey key = inspectKey(config.nodeId(), membership, config.passphrase());
            int logWindow = membership.terms().getParameters().getLogWindow();
            queue.inspectResults(around.map(block -> new ResultWindow(block, logWindow, archive.reader())));
            long last = archive.reader().map(ArchiveReader::lastSequence).orElse(0L);
            new ReplicaLogPart(new RecordedVotes(files).lost(key, last, queue.lastQueued()), report)
                    .inspect(files.replicaLog(), archive.reader());
            new EvidencePart(files.evidence(), report).inspect();
        }
    }

    /** Returns the membership at the end of the archive, or of the genesis file if the archive cannot name it. */
    private Membership membership(GenesisFile genesis, Optional<ArchiveReader> archive) {
        try {
            return archive.filter(reader -> reader.lastSequence() > 0)
                    .map(reader -> new MembershipHistory(reader, genesis.genesis())
                            .atEnd()
                            .membership())
                    .orElseGet(() -> Membership.of(genesis.genesis()));
        } catch (OperatingFailureException e) {
            report.damaged("membership unknown: " + e.getMessage());
            return Membership.of(genesis.genesis());
        }
    }

    private void inspectNode(int nodeId, Membership membership) {
        String name = membership.hasNode(nodeId)
                ? membership.terms().getNodes(nodeId).getName()
                : "which epoch " + membership.epoch() + " does not name";
        report.fact("node", nodeId + " of " + membership.terms().getNodesCount() + ", " + name);
    }

    private VerificationKey inspectKey(int nodeId, Membership membership, PassphraseSettings passphrase)
            throws IOException {
        Signer signer = files.readKey(passphrase);
        VerificationKey key = signer.verificationKey();
        report.fact("identity scheme", signer.scheme().name());
        report.fact("identity point", hex(key.point()));
        if (membership.hasNode(nodeId) && !key.equals(membership.identity(nodeId))) {
            report.damaged("node.key is not the key of node " + nodeId + " in epoch " + membership.epoch()
                    + ", where the archive ends");
        }
        return key;
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
