package io.sealbook.consensus.storage;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveRecovery;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.vocabulary.Durability;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open files of a node.
 *
 * @param files what survives the process
 */
public record NodeStorage(NodeFiles files) {
    private static final Logger log = LoggerFactory.getLogger(NodeStorage.class);

    /**
     * Opens all files of a directory.
     *
     * @param directory of the node
     * @param member to which it belongs
     * @param parts closes the files; has those that were opened before one failed
     * @throws io.sealbook.vocabulary.OperatingFailureException if a file cannot be read, or another process uses it
     */
    public static NodeStorage open(NodeDirectory directory, Member member, OpenParts parts) {
        Durability durability = member.config().durability();
        BlockArchive archive = parts.add(archive(directory, member));
        logRecovery(archive);
        ReplicaLog replicaLog = parts.add(ReplicaLog.open(FileStorage.open(directory.replicaLog()), durability));
        VoteMark voteMark = parts.add(VoteMark.open(FileStorage.open(directory.replicaMark()), durability));
        PayloadLog payloadLog = parts.add(PayloadLog.open(FileStorage.open(directory.payloadLog()), durability));
        return new NodeStorage(new NodeFiles(archive, replicaLog, voteMark, payloadLog));
    }

    private static BlockArchive archive(NodeDirectory directory, Member member) {
        return BlockArchive.open(
                directory.archive(),
                new ArchiveConfig(
                        member.genesis().digest(),
                        member.parameters().getBlocksPerSegment(),
                        member.config().durability()));
    }

    /** Logs what opening the archive repaired: whether a crash, or the disk, cost anything. */
    private static void logRecovery(BlockArchive archive) {
        ArchiveRecovery recovery = archive.recovery();
        log.info(
                "archive: blocks {} to {}, {} scanned in segments that were not closed",
                archive.firstSequence(),
                archive.lastSequence(),
                recovery.blocksScanned());
        if (recovery.tornBytes() > 0) {
            log.warn(
                    "archive: cut off {} bytes that a crash left after block {}; peers have every delivered block",
                    recovery.tornBytes(),
                    archive.lastSequence());
        }
        if (!recovery.damagedBlocks().isEmpty()) {
            log.error(
                    "archive: blocks {} are damaged and not served; check the disk, stop the node, run"
                            + " block-archive.jar repair with a copy of another node's archive",
                    recovery.damagedBlocks());
        }
    }

    public BlockArchive archive() {
        return files.archive();
    }
}
