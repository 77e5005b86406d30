package io.sealbook.consensus.inspect;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The results of the blocks around one: each with the hash of its block, and with what a quorum has certified. Members
 * whose results differ compare these lines. One thread.
 */
final class ResultWindow {
    /** Blocks before and after the one that is asked for. */
    private static final long SPAN = 4;

    private final long middle;
    private final TreeMap<Long, Digest> results = new TreeMap<>();

    /** @param middle block, at least 1 */
    ResultWindow(long middle) {
        this.middle = middle;
    }

    /** Takes a result of queue/results; it replaces that of its block and all later ones, of an engine before. */
    void onResult(long sequence, Digest digest) {
        results.tailMap(sequence, true).clear();
        if (sequence >= middle - SPAN && sequence <= middle + SPAN) {
            results.put(sequence, digest);
        }
    }

    /**
     * Reports a line for each block.
     *
     * @param archive of the node; empty if there is none
     * @param report gets the lines
     */
    void print(Optional<ArchiveReader> archive, Report report) {
        for (long sequence = Math.max(1, middle - SPAN); sequence <= middle + SPAN; sequence++) {
            report.fact(
                    "result of block " + sequence,
                    Optional.ofNullable(results.get(sequence)).map(Digest::hex).orElse("none")
                            + ", block hash " + blockHash(archive, sequence)
                            + ", " + certified(archive, sequence));
        }
    }

    private static String blockHash(Optional<ArchiveReader> archive, long sequence) {
        try {
            return archive.flatMap(reader -> reader.read(sequence))
                    .map(bytes -> Block.wrap(bytes).hash().hex())
                    .orElse("none");
        } catch (BlockDamagedException e) {
            return "unknown, the block is damaged";
        }
    }

    private static String certified(Optional<ArchiveReader> archive, long sequence) {
        return archive.flatMap(reader -> reader.certificateAtOrAfter(sequence))
                .filter(found -> found.sequence() == sequence)
                .map(CheckpointCertificate::resultDigest)
                .map(digest -> "certified " + digest.hex())
                .orElse("no certificate");
    }
}
