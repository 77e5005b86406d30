package io.sealbook.consensus.inspect;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockFacts;
import io.sealbook.archive.BlockLocation;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.handoff.StoppedQueue;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The hand-off. Of queue/blocks every excerpt must name the block of the archive that has its number, and none may be
 * missing in between; of queue/results every result at a certified block must be the certified one. Both begin late
 * when the engine has deleted old files.
 */
final class QueuePart {
    private static final String DATA_FILE_SUFFIX = ".cq4";

    private final NodeDirectory files;
    private final Optional<ArchiveReader> archive;
    private final Report report;
    private Optional<StoppedQueue> blocks = Optional.empty();
    private BlockLocation next;
    private long lastQueued;

    /**
     * Opens nothing yet.
     *
     * @param files of the node
     * @param archive of the node; empty if there is none
     * @param report gets every fact and finding
     */
    QueuePart(NodeDirectory files, Optional<ArchiveReader> archive, Report report) {
        this.files = files;
        this.archive = archive;
        this.report = report;
    }

    /** Opens queue/blocks at its first excerpt. */
    void begin() {
        blocks = open(files.blockQueue(), "queue/blocks");
        advance();
    }

    /** Compares a block of the archive with its excerpt, if that is still in the queue. */
    void onBlock(Block block) {
        long sequence = block.header().sequence();
        while (next != null && next.sequence() < sequence) {
            advance();
        }
        if (next == null || next.sequence() > sequence) {
            return;
        }
        BlockFacts facts = archive.orElseThrow().facts(sequence).orElseThrow();
        if (!next.hash().equals(block.hash())) {
            report.damaged("queue/blocks: block " + sequence + " has hash "
                    + next.hash().hex() + ", in the archive " + block.hash().hex());
        } else if (next.offset() != facts.offset() || next.length() != facts.length() || next.crc() != facts.crc()) {
            report.damaged("queue/blocks: block " + sequence + " lies at " + next.offset() + " with " + next.length()
                    + " bytes, in the archive at " + facts.offset() + " with " + facts.length());
        }
        advance();
    }

    /** Reads what the archive has no block for, and compares the ends. */
    void end() {
        while (next != null) {
            advance();
        }
        blocks.ifPresent(queue -> {
            report.fact("queue/blocks last", lastQueued);
            compareEnds();
            queue.close();
        });
    }

    /** Returns the last block of queue/blocks that was read; 0 if none was. */
    long lastQueued() {
        return lastQueued;
    }

    private void compareEnds() {
        long last = archive.map(ArchiveReader::lastSequence).orElse(0L);
        if (lastQueued > last) {
            report.damaged("archive ends with block " + last + ", queue/blocks with " + lastQueued
                    + ": the archive has lost its end");
        } else if (lastQueued < last) {
            report.unfinished("queue/blocks ends with block " + lastQueued + ", the archive with " + last
                    + ": the node hands over the rest when it starts");
        }
    }

    /** Takes the next readable excerpt; the queue ends for this inspection at one that is no location. */
    private void advance() {
        next = null;
        if (blocks.isEmpty()) {
            return;
        }
        byte[] excerpt = blocks.get().next();
        if (excerpt == null) {
            return;
        }
        try {
            next = HandedBlock.decode(excerpt).location();
        } catch (IllegalArgumentException e) {
            report.damaged("queue/blocks: the excerpt after block " + lastQueued + ": " + e.getMessage());
            return;
        }
        if (lastQueued != 0 && next.sequence() != lastQueued + 1) {
            report.damaged("queue/blocks: block " + next.sequence() + " follows block " + lastQueued);
        }
        lastQueued = next.sequence();
    }

    /**
     * Reads all results.
     *
     * @param window of the results to print; empty for the newest alone
     */
    void inspectResults(Optional<ResultWindow> window) {
        open(files.resultQueue(), "queue/results").ifPresent(queue -> {
            try (queue) {
                inspectResults(queue, window);
            }
        });
        window.ifPresent(asked -> asked.print(report));
    }

    private void inspectResults(StoppedQueue queue, Optional<ResultWindow> window) {
        long last = 0;
        String lastDigest = "";
        TreeMap<Long, String> contradictions = new TreeMap<>();
        for (byte[] excerpt = queue.next(); excerpt != null; excerpt = queue.next()) {
            BlockResult result;
            try {
                result = BlockResult.decode(excerpt);
            } catch (IllegalArgumentException e) {
                report.damaged("queue/results: the excerpt after block " + last + ": " + e.getMessage());
                continue;
            }
            if (result.sequence() <= last) {
                report.fact("queue/results replaced from block", result.sequence());
                contradictions.tailMap(result.sequence(), true).clear();
            }
            last = result.sequence();
            lastDigest = result.digest().hex();
            window.ifPresent(asked -> asked.onResult(result.sequence(), result.digest()));
            contradiction(last, result.digest()).ifPresent(fact -> contradictions.put(result.sequence(), fact));
        }
        contradictions.values().forEach(report::damaged);
        report.fact("queue/results last", last);
        report.fact("queue/results last digest", lastDigest);
        if (last > archive.map(ArchiveReader::lastSequence).orElse(0L)) {
            report.damaged("the engine has executed block " + last + ", which is not in the archive");
        }
    }

    /** Returns how a result differs from the certificate of its block, if it does. */
    private Optional<String> contradiction(long sequence, Digest digest) {
        return archive.flatMap(reader -> reader.certificateAtOrAfter(sequence))
                .filter(found ->
                        found.sequence() == sequence && !found.resultDigest().equals(digest))
                .map(found -> "queue/results: result of block " + sequence + " is " + digest.hex()
                        + ", a quorum has certified " + found.resultDigest().hex());
    }

    private Optional<StoppedQueue> open(Path directory, String name) {
        if (!hasData(directory)) {
            report.fact(name, "none yet");
            return Optional.empty();
        }
        return Optional.of(new StoppedQueue(directory));
    }

    /** Returns whether a queue has been written; its directory need not exist. */
    static boolean hasData(Path directory) {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> found = Files.list(directory)) {
            return found.anyMatch(file -> file.getFileName().toString().endsWith(DATA_FILE_SUFFIX));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
