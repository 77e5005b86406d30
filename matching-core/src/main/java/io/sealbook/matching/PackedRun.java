package io.sealbook.matching;

import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.result.RecordPacker;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultTree;

/**
 * A leaf of the block's result tree while messages are packed into it: the reports of one broker, or the trades. It is
 * hashed piece by piece, so that it takes a small buffer however long it becomes. The runs of one block have a tree of
 * their own besides, whose root binds the reports of one broker. Reused.
 */
final class PackedRun {
    /** The buffers of a few brokers stay in the first-level cache. */
    private static final int CAPACITY = 1 << 10;

    private final ResultLeaf.Kind kind;
    private final int messageMax;
    private final Sha256 sha256 = new Sha256();
    private final byte[] packed = new byte[CAPACITY];
    private final byte[] hash = new byte[Sha256.LENGTH];
    private final ResultTree runs = new ResultTree();
    private int length;
    private int count;

    /** Takes the kind of messages and the length of one that is not packed. */
    PackedRun(ResultLeaf.Kind kind, int messageLength) {
        this.kind = kind;
        messageMax = new RecordPacker(messageLength).packedLengthMax() + RecordPacker.SLACK;
    }

    /** Forgets the runs of the block before. */
    void beginBlock() {
        runs.reset();
    }

    /**
     * Begins a message, to be packed into {@link #packed()} from {@link #length()} on.
     *
     * @return whether it is to be packed alone
     */
    boolean begin() {
        if (count == 0) {
            ResultLeaf.begin(sha256, kind);
        }
        if (packed.length - length < messageMax) {
            flush();
        }
        return count == 0;
    }

    /** Ends the message at this place of the buffer, whose bytes stay until the next one begins. */
    void end(int at, ResultTree tree) {
        length = at;
        count++;
        if (count == ResultLeaf.RUN_MAX) {
            close(tree);
        }
    }

    /** Adds the run to the tree unless it is empty, and begins another one. */
    void close(ResultTree tree) {
        if (count > 0) {
            flush();
            sha256.digest(hash, 0);
            tree.add(hash);
            runs.add(hash);
            count = 0;
        }
    }

    /** Writes the root over the block's runs, 32 bytes; all of them are closed. */
    void root(byte[] destination) {
        runs.root(destination, 0);
    }

    /** Returns the bytes into which messages are packed. */
    byte[] packed() {
        return packed;
    }

    int length() {
        return length;
    }

    private void flush() {
        sha256.update(packed, 0, length);
        length = 0;
    }
}
