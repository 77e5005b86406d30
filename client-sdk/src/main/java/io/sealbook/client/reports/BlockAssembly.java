package io.sealbook.client.reports;

import com.google.protobuf.ByteString;
import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.RunTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts the reports of one block together, which may come in several frames. Reused for the next block. */
final class BlockAssembly {
    private final RunTree tree = new RunTree();
    private List<byte[]> runs = new ArrayList<>();
    private long first;
    private int count;
    private long bytes;

    /** Returns whether a block has begun and not ended. */
    boolean isOpen() {
        return !runs.isEmpty();
    }

    /** Returns the report sequence of the first report of the block that has begun. */
    long first() {
        return first;
    }

    /** Returns how many reports of it have come. */
    int count() {
        return count;
    }

    /** Returns how many bytes of it have come; at most {@link ReportRun#LENGTH_MAX} for each run. */
    long bytes() {
        return bytes;
    }

    /** Returns how many reports have come; 0 if they are not the first ones of this block. */
    int countWithin(VouchedBlock block) {
        return isOpen() && first == block.first() && count <= block.count() ? count : 0;
    }

    /** Forgets what has come of a block that did not end. */
    void reset() {
        tree.reset();
        if (isOpen()) {
            runs = new ArrayList<>();
        }
        count = 0;
        bytes = 0;
    }

    /**
     * Adds consecutive reports.
     *
     * @return the whole block once it ends with these
     * @throws IllegalArgumentException if they do not follow those before, or are not runs
     */
    Optional<VouchedBlock> add(BlockReports reports) {
        long from = reports.getFirstSequence();
        int added = reports.getCount();
        if (isOpen() && from != first + count) {
            throw new IllegalArgumentException("report " + from + " came within a block at " + (first + count));
        }
        if (added <= 0 || reports.getRunsCount() != (added - 1) / ReportRun.COUNT_MAX + 1) {
            throw new IllegalArgumentException(added + " reports in " + reports.getRunsCount() + " runs");
        }
        if (!reports.getIsLast() && added % ReportRun.COUNT_MAX != 0) {
            throw new IllegalArgumentException("a run that is not its block's last ends after " + added + " reports");
        }
        if (!isOpen()) {
            first = from;
        }
        for (ByteString run : reports.getRunsList()) {
            if (run.size() > ReportRun.LENGTH_MAX) {
                throw new IllegalArgumentException("a run of " + run.size() + " bytes");
            }
            byte[] copy = run.toByteArray();
            bytes += copy.length;
            tree.add(copy);
            runs.add(copy);
        }
        if (count > Integer.MAX_VALUE - added) {
            throw new IllegalArgumentException("a block of more than " + Integer.MAX_VALUE + " reports");
        }
        count += added;
        return reports.getIsLast() ? Optional.of(take()) : Optional.empty();
    }

    private VouchedBlock take() {
        Digest digest = tree.take();
        VouchedBlock block = new VouchedBlock(first, count, digest, Optional.of(runs));
        runs = new ArrayList<>();
        reset();
        return block;
    }
}
