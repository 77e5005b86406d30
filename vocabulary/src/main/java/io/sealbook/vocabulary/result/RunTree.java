package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;

/**
 * The digest over the reports of one broker in one block: the root of a {@link ResultTree} over the hashes of their
 * runs. The hash of a run is SHA-256 of
 *
 * <pre>
 *   offset  length  meaning
 *   0       1       0x03: neither a leaf nor a node nor a link of result trees
 *   1       40      header of the run, see {@link ReportRun}
 *   41      32      hash of the leaf that has its cells, see {@link ResultLeaf}
 *   73      ...     its details
 * </pre>
 *
 * so that who computes the result tree hashes no cell again. Reused. One thread.
 */
public final class RunTree {
    private static final byte RUN = 3;

    private final Sha256 sha256 = new Sha256();
    private final ResultTree tree = new ResultTree();
    private final byte[] leafHeader = new byte[ResultLeaf.HEADER_LENGTH];
    private final byte[] leafHash = new byte[Sha256.LENGTH];
    private final byte[] root = new byte[Digest.LENGTH];

    /**
     * Adds the next run.
     *
     * @throws IllegalArgumentException if the bytes are no run
     */
    public void add(byte[] run) {
        ReportRun.Header header = ReportRun.header(run, 0, run.length);
        ResultLeaf.begin(leafHeader, header.brokerId(), header.first());
        sha256.update(leafHeader)
                .update(run, ReportRun.HEADER_LENGTH, header.count() * ResultCell.LENGTH)
                .digest(leafHash, 0);
        add(run, 0, run.length, leafHash, 0);
    }

    /**
     * Adds the next run.
     *
     * @param bytes contain the run; not changed and not kept
     * @param offset where it begins
     * @param length in bytes
     * @param leafHashes contain the hash of the leaf that has the run's cells
     * @param leafHashOffset where this hash begins
     */
    public void add(byte[] bytes, int offset, int length, byte[] leafHashes, int leafHashOffset) {
        int details = ReportRun.HEADER_LENGTH + ReportRun.count(bytes, offset) * ResultCell.LENGTH;
        tree.add(sha256.update(RUN)
                .update(bytes, offset, ReportRun.HEADER_LENGTH)
                .update(leafHashes, leafHashOffset, Sha256.LENGTH)
                .update(bytes, offset + details, length - details));
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
