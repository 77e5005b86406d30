package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;

/**
 * The digest over the reports of one broker in one block: the root of a {@link ResultTree} over the hashes of their
 * runs, which are leaves of the block's tree, too. Where they are one run, it is the hash of that leaf. A run has
 * {@link ResultLeaf#RUN_MAX} reports, the last one the rest. Reused. One thread.
 */
public final class RunTree {
    private final Sha256 sha256 = new Sha256();
    private final ResultTree tree = new ResultTree();
    private final byte[] root = new byte[Digest.LENGTH];

    /** Adds the next run, packed by {@link RecordPacker}, the first report alone. */
    public void add(byte[] run) {
        ResultLeaf.begin(sha256, ResultLeaf.Kind.REPORT);
        tree.add(sha256.update(run));
    }

    /** Returns the digest over the runs that were added, at least one, and begins anew. */
    public Digest take() {
        tree.root(root, 0);
        tree.reset();
        return Digest.of(root);
    }
}
