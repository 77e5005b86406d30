package io.sealbook.client.reports;

import io.sealbook.protocol.v1.BlockReports;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.Optional;

/** What one engine has vouched for beyond the last agreed block, without gaps. Loop thread only. */
final class EngineSource {
    /**
     * Reports in whole blocks that an engine may be ahead of the last agreed one before it must wait; a soft bound,
     * exceeded by frames on their way and by the last block.
     */
    private static final int AHEAD_MAX = 4_096;

    private final long blockBytesMax;
    private final ArrayDeque<VouchedBlock> ahead = new ArrayDeque<>();
    private final BlockAssembly assembly = new BlockAssembly();
    /** Sequence that its stream must bring next. */
    private long expected;
    /** Frames that came and for which no other was granted yet. */
    private int framesHeld;

    /** What an engine said cannot be taken. */
    static final class FaultException extends Exception {
        private static final long serialVersionUID = 1;
        private final boolean isGap;

        FaultException(String fact, boolean isGap) {
            super(fact);
            this.isGap = isGap;
        }

        /** Returns whether reports are missing. */
        boolean isGap() {
            return isGap;
        }
    }

    /**
     * @param blockBytesMax bytes of a block that it may send if no other engine bears it out; exceeded by frames on
     *     their way
     */
    EngineSource(long blockBytesMax) {
        this.blockBytesMax = blockBytesMax;
    }

    /** Begins a stream; returns the first report wanted, {@code next} or later. */
    long begin(long next) {
        framesHeld = 0;
        assembly.reset();
        expected = Math.max(expected, next);
        return expected;
    }

    /** Forgets what the engine has vouched for from {@code next} on. */
    void forget(long next) {
        ahead.clear();
        assembly.reset();
        expected = next;
    }

    void onFrame() {
        framesHeld++;
    }

    /** Returns whether to grant one more frame, which is counted. */
    boolean grant(long next) {
        if (framesHeld == 0 || expected - next >= AHEAD_MAX) {
            return false;
        }
        framesHeld--;
        return true;
    }

    /**
     * Returns whether it may send more of a block. One that is long must be borne out: as many others as are needed
     * beside it vouch for as many reports, or have brought them. If this engine is faulty, one of these is correct; if
     * it is correct, its block has an end.
     *
     * @param needed how many engines must vouch for the same reports
     * @param all engines' sources, this one too
     */
    boolean mayGoOn(int needed, EngineSource... all) {
        if (!assembly.isOpen() || assembly.bytes() < blockBytesMax) {
            return true;
        }
        int others = 0;
        for (EngineSource other : all) {
            if (other != this && other.reaches(assembly.first(), assembly.count())) {
                others++;
            }
        }
        return others >= needed - 1;
    }

    private boolean reaches(long first, int count) {
        return assembly.isOpen() && assembly.first() == first && assembly.count() >= count
                || ahead.stream().anyMatch(block -> block.first() == first && block.count() >= count);
    }

    /** Returns the oldest block that it has vouched for and that is not agreed. */
    Optional<VouchedBlock> head() {
        return Optional.ofNullable(ahead.peek());
    }

    /** Returns how many reports of a block have come of it, if not all have; in runs that are not verified. */
    int broughtOf(VouchedBlock block) {
        return assembly.countWithin(block);
    }

    /** Returns whether it vouches for the same reports in its oldest block. */
    boolean agreesOn(VouchedBlock block) {
        return head().filter(block::isSameAs).isPresent();
    }

    /** Removes the oldest block. */
    void drop() {
        ahead.poll();
    }

    /**
     * Takes reports or the digest of a block.
     *
     * @param reports of a block or a part of it
     * @param next first report that is not agreed; blocks before it are not kept
     * @throws FaultException if they are malformed or leave a gap
     */
    void take(BlockReports reports, long next) throws FaultException {
        if (!assembly.isOpen()) {
            requireNext(reports.getFirstSequence());
        }
        try {
            Optional<VouchedBlock> block =
                    reports.getDigest().isEmpty() ? assembly.add(reports) : Optional.of(digestOf(reports));
            if (block.isPresent()) {
                add(block.get(), next);
            }
        } catch (IllegalArgumentException malformed) {
            throw new FaultException("malformed frame: " + malformed.getMessage(), false);
        }
    }

    private VouchedBlock digestOf(BlockReports reports) {
        if (assembly.isOpen() || reports.getRunsCount() > 0 || !reports.getIsLast() || reports.getCount() <= 0) {
            throw new IllegalArgumentException("a digest of no whole block");
        }
        return new VouchedBlock(
                reports.getFirstSequence(),
                reports.getCount(),
                Digest.of(reports.getDigest().toByteArray()),
                Optional.empty());
    }

    /** A block that has begun holds memory until it ends: what it begins with is checked first. */
    private void requireNext(long first) throws FaultException {
        if (first < 1) {
            throw new FaultException("a block begins with report " + first, false);
        }
        if (first > expected) {
            throw new FaultException("report " + first + " came where " + expected + " was expected", true);
        }
    }

    private void add(VouchedBlock block, long next) throws FaultException {
        if (block.end() < block.first()) {
            throw new FaultException("reports " + block.first() + " and on, " + block.count() + " of them", false);
        }
        if (block.end() <= expected) {
            return; // Repeated.
        }
        if (block.first() < expected && !ahead.isEmpty()) {
            throw new FaultException("the blocks of reports " + block.first() + " and " + expected + " overlap", false);
        }
        expected = block.end();
        if (expected > next) {
            ahead.add(block);
        }
    }
}
