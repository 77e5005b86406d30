package io.sealbook.archive.result;

/**
 * Where a result is in the result tree of its block.
 *
 * @param brokerId whose result it is
 * @param firstSequence report sequence of the first result of its leaf
 * @param index in its leaf, from 0
 * @param leafIndex in the tree, from 0
 * @param leafCount number of leaves of the tree
 */
public record ResultPlace(int brokerId, long firstSequence, int index, int leafIndex, int leafCount) {
    /** Returns the sequence of the report that the result belongs to. */
    public long reportSequence() {
        return firstSequence + index;
    }
}
