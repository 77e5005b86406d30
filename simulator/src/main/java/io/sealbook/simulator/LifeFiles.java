package io.sealbook.simulator;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.CallerThread;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * Opens the files of a node on its simulated disk, as every life of its process does.
 *
 * @param simulation which watches the replica log
 * @param node whose disk it is
 * @param durability of all files
 */
record LifeFiles(Simulation simulation, SimulatedNode node, Durability durability) {
    private static final int REPLICA_LOG_SEGMENT_LENGTH = 32 << 10;
    private static final int PAYLOAD_LOG_SEGMENT_LENGTH = 16 << 10;

    Path archiveDirectory() {
        return node.disk.directory("archive");
    }

    /** Opens everything; {@code marks} gives the random marks of archive segments. */
    NodeFiles open(LongSupplier marks) {
        BlockArchive archive = archive(marks);
        ReplicaLog log = ReplicaLog.open(
                simulation.watch(node, storage("replica-log"), durability), durability, REPLICA_LOG_SEGMENT_LENGTH);
        VoteMark mark = VoteMark.open(storage("replica-mark"), durability);
        PayloadLog payloadLog = PayloadLog.open(storage("payload-log"), durability, PAYLOAD_LOG_SEGMENT_LENGTH);
        simulation.onRecovered(node, log.records(), archive.lastSequence());
        return new NodeFiles(
                archive,
                log,
                mark,
                node.neverVoted(),
                payloadLog,
                SessionHeads.open(storage("session-heads")),
                EvidenceStore.open(storage("evidence")));
    }

    private BlockArchive archive(LongSupplier marks) {
        ArchiveConfig config = new ArchiveConfig(
                simulation.genesis().digest(),
                simulation.genesis().genesis().getParameters().getBlocksPerSegment(),
                durability);
        return BlockArchive.open(archiveDirectory(), config, new CallerThread(), marks);
    }

    private FileStorage storage(String name) {
        return FileStorage.open(node.disk.directory(name));
    }
}
