package io.sealbook.matching;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ConfigurationLeaf;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultTree;

/**
 * The chain over all results: each block's cells are the leaves of a Merkle tree, whose root moves the digest as
 * {@link ResultLink} shows.
 *
 * <p>The first block under another configuration has the {@link ConfigurationLeaf} first. Every other leaf is a run of
 * one broker's results, see {@link ResultLeaf}. It enters the tree when it is full. The runs that are not full at the
 * block's end follow, brokers in the order of the configuration.
 */
final class ResultDigest {
    private final ResultTree tree = new ResultTree();
    private final ResultLink link = new ResultLink();
    private final byte[] value = new byte[Digest.LENGTH];

    void beginBlock() {
        tree.reset();
    }

    /** Binds the block, before its first run, to another configuration than the one before. */
    void configuration(Digest configDigest) {
        tree.add(ConfigurationLeaf.hash(configDigest));
    }

    /** Adds the next leaf. */
    void add(ResultRun run) {
        run.close(tree);
    }

    void endBlock(long sequence) {
        link.apply(value, sequence, tree);
    }

    /** Returns the digest of the last ended block. */
    Digest value() {
        return Digest.of(value);
    }

    /** Goes on from the digest of an ended block. */
    void restore(Digest digest) {
        digest.write(value, 0);
    }
}
