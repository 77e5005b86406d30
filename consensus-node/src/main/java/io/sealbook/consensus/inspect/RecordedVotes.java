package io.sealbook.consensus.inspect;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.handoff.StoppedQueue;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.node.replicalog.ReplicaLogContents;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.restart.LostVotes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a node's files have the records of its votes, judged as a start does. Changes nothing. One thread.
 *
 * @param files of the node
 */
public record RecordedVotes(NodeDirectory files) {
    /**
     * Returns what a start would refuse; empty if the log has a record, or if nothing is lost.
     *
     * @param key of the node's identity
     * @throws IOException if a file cannot be read
     * @throws io.sealbook.vocabulary.OperatingFailureException if the archive or the log is damaged
     */
    public Optional<LostVotes> lost(VerificationKey key) throws IOException {
        if (hasRecord()) {
            return Optional.empty();
        }
        long lastArchived = ArchiveReader.hasBlocks(files.archive()) ? lastOf(ArchiveReader.open(files.archive())) : 0;
        return Optional.of(lost(key, lastArchived, lastHandedOver()))
                .filter(votes -> votes.fact().isPresent());
    }

    /**
     * Returns what the files show if the log has no record.
     *
     * @param key of the node's identity
     * @param lastArchived last block of the archive, 0 if there is none
     * @param lastHandedOver last block of queue/blocks, 0 if there is none
     */
    LostVotes lost(VerificationKey key, long lastArchived, long lastHandedOver) {
        return new LostVotes(
                lastArchived,
                lastHandedOver,
                Files.exists(files.replicaMark().resolve(VoteMark.FILE)),
                files.neverVoted(key).fault());
    }

    private boolean hasRecord() throws IOException {
        if (!Files.isDirectory(files.replicaLog())) {
            return false;
        }
        Optional<Path> newest;
        try (Stream<Path> found = Files.list(files.replicaLog())) {
            newest = found.filter(file ->
                            ReplicaLogContents.isSegment(file.getFileName().toString()))
                    .max(Comparator.naturalOrder());
        }
        return newest.isPresent()
                && !ReplicaLogContents.of(
                                newest.get().getFileName().toString(),
                                ByteBuffer.wrap(Files.readAllBytes(newest.get())))
                        .records()
                        .isEmpty();
    }

    private static long lastOf(ArchiveReader opened) {
        try (ArchiveReader archive = opened) {
            return archive.lastSequence();
        }
    }

    private long lastHandedOver() {
        if (!QueuePart.hasData(files.blockQueue())) {
            return 0;
        }
        long last = 0;
        try (StoppedQueue queue = new StoppedQueue(files.blockQueue())) {
            for (byte[] excerpt = queue.next(); excerpt != null; excerpt = queue.next()) {
                last = HandedBlock.decode(excerpt).location().sequence();
            }
        } catch (IllegalArgumentException e) {
            // An excerpt that is no block ends the queue, as for an inspection.
            return last;
        }
        return last;
    }
}
