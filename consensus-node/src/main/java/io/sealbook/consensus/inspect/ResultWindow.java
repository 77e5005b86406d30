package io.sealbook.consensus.inspect;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The results from the last certified block before one on: each with the hash of its block, and with what a quorum has
 * certified. Members whose results differ compare these lines: each result depends on the one before, so that the first
 * difference names the block. One thread.
 */
final class ResultWindow {
    /** Blocks after the one that is asked for. */
    private static final long AFTER = 4;

    private final Optional<ArchiveReader> archive;
    private final long first;
    private final long last;
    private final TreeMap<Long, Digest> results = new TreeMap<>();

    /**
     * Begins with the last certified block before the middle, or with block 1.
     *
     * @param middle block, at least 1
     * @param logWindow of the chain: two certificates are no more blocks apart, and the window begins no earlier
     * @param archive of the node; empty if there is none
     */
    ResultWindow(long middle, int logWindow, Optional<ArchiveReader> archive) {
        this.archive = archive;
        long certified = archive.flatMap(reader -> reader.certificateBefore(middle))
                .map(CheckpointCertificate::sequence)
                .orElse(1L);
        this.first = Math.max(certified, middle - logWindow);
        this.last = middle + AFTER;
    }

    /** Takes a result of queue/results; it replaces that of its block and all later ones, of an engine before. */
    void onResult(long sequence, Digest digest) {
        results.tailMap(sequence, true).clear();
        if (sequence >= first && sequence <= last) {
            results.put(sequence, digest);
        }
    }

    /** Reports a line for each block. */
    void print(Report report) {
        for (long sequence = first; sequence <= last; sequence++) {
            report.fact(
                    "result of block " + sequence,
                    Optional.ofNullable(results.get(sequence)).map(Digest::hex).orElse("none")
                            + ", block hash " + blockHash(sequence)
                            + ", " + certified(sequence));
        }
    }

    private String blockHash(long sequence) {
        try {
            return archive.flatMap(reader -> reader.read(sequence))
                    .map(bytes -> Block.wrap(bytes).hash().hex())
                    .orElse("none");
        } catch (BlockDamagedException e) {
            return "unknown, the block is damaged";
        }
    }

    private String certified(long sequence) {
        return archive.flatMap(reader -> reader.certificateAtOrAfter(sequence))
                .filter(found -> found.sequence() == sequence)
                .map(CheckpointCertificate::resultDigest)
                .map(digest -> "certified " + digest.hex())
                .orElse("no certificate");
    }
}
