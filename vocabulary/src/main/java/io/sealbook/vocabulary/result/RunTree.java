package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;

/**
 * The digest over the reports of one broker in one block: the root of a {@link ResultTree} over the hashes of their
 * runs. A run has {@link #RUN_MAX} reports, the last one the rest. The hash of a run is SHA-256 of two bytes 0x00 and
 * its packed reports. Reused. One thread.
 */
public final class RunTree {
    /** Number of reports in a run at most: no reader unpacks more to find one. */
    public static final int RUN_MAX = 256;

    private static final byte LEAF = 0;

    private final Sha256 sha256 = new Sha256();
    private final ResultTree tree = new ResultTree();
    private final byte[] root = new byte[Digest.LENGTH];

    /** Adds the next run, packed by {@link RecordPacker}, the first report alone. */
    public void add(byte[] run) {
        add(run, 0, run.length);
    }

    /**
     * Adds the next run, packed by {@link RecordPacker}, the first report alone.
     *
     * @param bytes contain the run; not changed and not kept
     * @param offset where it begins
     * @param length in bytes
     */
    public void add(byte[] bytes, int offset, int length) {
        tree.add(sha256.update(LEAF).update(LEAF).update(bytes, offset, length));
    }

    /** Forgets the runs that were added. */
    public void reset() {
        tree.reset();
    }

    /** Returns the digest over the runs that were added, at least one, and begins anew. */
    public Digest take() {
        tree.root(root, 0);
        tree.reset();
        return Digest.of(root);
    }
}
