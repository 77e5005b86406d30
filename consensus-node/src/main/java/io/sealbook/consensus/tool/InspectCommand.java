package io.sealbook.consensus.tool;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.Signer;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.Durability;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code inspect}: looks into the files of a stopped node. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        description = "Reads the files of a stopped node and prints one fact per line.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:everything reads and fits together",
            "1:something does not; the last line says what",
            "2:wrong use"
        })
public final class InspectCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The node's directory; no node may be running in it.")
    private Path directory;

    private PrintWriter out;

    @Override
    public Integer call() throws Exception {
        out = spec.commandLine().getOut();
        NodeDirectory files = new NodeDirectory(directory);
        GenesisFile genesis = files.readGenesis();
        NodeConfig config = NodeConfig.read(files);
        Node self = genesis.genesis().getNodes(config.nodeId());
        fact("genesis digest", hex(genesis.digest()));
        fact("chain id", Long.toUnsignedString(genesis.genesis().getChainId()));
        fact("node", config.nodeId() + " of " + genesis.genesis().getNodesCount() + ", " + self.getName());
        boolean isKeyRight = inspectKey(files, self);
        inspectArchive(files, genesis, config);
        inspectQueue(files);
        inspectReplicaLog(files, config);
        if (!isKeyRight) {
            spec.commandLine().getErr().println("node.key is not the key that the genesis file names");
            return 1;
        }
        return 0;
    }

    private boolean inspectKey(NodeDirectory files, Node self) throws java.io.IOException {
        Signer signer = KeyFile.readSigner(files.keyFile());
        fact("identity scheme", signer.scheme().name());
        fact("identity point", hex(signer.verificationKey().point()));
        return Arrays.equals(
                signer.verificationKey().point(), self.getIdentity().getPoint().toByteArray());
    }

    private void inspectArchive(NodeDirectory files, GenesisFile genesis, NodeConfig config) {
        if (!Files.isDirectory(files.archive())) {
            fact("archive", "none yet");
            return;
        }
        ArchiveConfig archiveConfig = new ArchiveConfig(
                genesis.digest(), genesis.genesis().getParameters().getBlocksPerSegment(), config.durability());
        try (BlockArchive archive = BlockArchive.open(files.archive(), archiveConfig)) {
            fact("archive blocks", archive.firstSequence() + ".." + archive.lastSequence());
            fact("archive last hash", hex(archive.lastHash()));
            fact(
                    "archive certificate",
                    archive.latestCertificate()
                            .map(certificate -> "block " + certificate.sequence() + ", "
                                    + certificate.signatures().size() + " signatures, result digest "
                                    + hex(certificate.resultDigest()))
                            .orElse("none"));
        }
    }

    private void inspectQueue(NodeDirectory files) {
        if (!Files.isDirectory(files.blockQueue())) {
            fact("queue/blocks", "none yet");
            return;
        }
        try (BlockQueue queue = new BlockQueue(files.blockQueue(), Durability.PROCESS)) {
            fact("queue/blocks last", Long.toString(queue.lastSequence()));
        }
    }

    private void inspectReplicaLog(NodeDirectory files, NodeConfig config) {
        if (!Files.isDirectory(files.replicaLog())) {
            fact("replica log", "none yet");
            return;
        }
        try (ReplicaLog log = ReplicaLog.open(FileStorage.open(files.replicaLog()), config.durability())) {
            Map<String, Long> counts = log.records().stream()
                    .collect(Collectors.groupingBy(
                            record -> record.getClass().getSimpleName(), TreeMap::new, Collectors.counting()));
            fact("replica log records", counts.toString());
            long stable = 0;
            long view = 0;
            long isolatedAt = 0;
            for (ReplicaRecord record : log.records()) {
                switch (record) {
                    case ReplicaRecord.Stable at ->
                        stable = Math.max(stable, at.certificate().sequence());
                    case ReplicaRecord.ViewLeft left -> view = Math.max(view, left.newView());
                    case ReplicaRecord.ViewEntered entered ->
                        view = Math.max(view, entered.newView().view());
                    case ReplicaRecord.Accepted accepted ->
                        view = Math.max(view, accepted.prePrepare().view());
                    case ReplicaRecord.Prepared prepared -> view = Math.max(view, prepared.view());
                    case ReplicaRecord.Isolated isolated -> isolatedAt = isolated.checkpoint();
                    case ReplicaRecord.IsolationEnded ended -> isolatedAt = 0;
                }
            }
            fact("replica log view", Long.toString(view));
            fact("replica log stable checkpoint", Long.toString(stable));
            fact("replica log isolated at checkpoint", isolatedAt == 0 ? "not isolated" : Long.toString(isolatedAt));
        }
    }

    private void fact(String name, String value) {
        out.println(name + ": " + value);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
