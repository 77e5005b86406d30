package io.sealbook.consensus.storage;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.vocabulary.Durability;

/**
 * The open files of a node.
 *
 * @param files what survives the process
 */
public record NodeStorage(NodeFiles files) {
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
        DamagedArchive.logRecovery(archive, DamagedArchive.FETCHED);
        ReplicaLog replicaLog = parts.add(ReplicaLog.open(FileStorage.open(directory.replicaLog()), durability));
        VoteMark voteMark = parts.add(VoteMark.open(FileStorage.open(directory.replicaMark()), durability));
        PayloadLog payloadLog = parts.add(PayloadLog.open(FileStorage.open(directory.payloadLog()), durability));
        SessionHeads heads = parts.add(SessionHeads.open(FileStorage.open(directory.sessionHeads())));
        EvidenceStore evidence = parts.add(EvidenceStore.open(FileStorage.open(directory.evidence())));
        NeverVotedMark neverVoted = directory.neverVoted(member.identity().verificationKey());
        return new NodeStorage(new NodeFiles(archive, replicaLog, voteMark, neverVoted, payloadLog, heads, evidence));
    }

    private static BlockArchive archive(NodeDirectory directory, Member member) {
        return BlockArchive.open(
                directory.archive(),
                new ArchiveConfig(
                        member.genesis().digest(),
                        member.parameters().getBlocksPerSegment(),
                        member.config().durability()));
    }

    public BlockArchive archive() {
        return files.archive();
    }
}
