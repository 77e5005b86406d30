package io.sealbook.engine.reports;

import io.sealbook.vocabulary.result.RunTree;

/**
 * Reports of one block in a row, one leaf of the broker's digest. The bytes must not be changed.
 *
 * @param first report sequence of the first
 * @param count how many they are, 1..{@link RunTree#RUN_MAX}
 * @param packed all of them, the first alone
 * @param isLast whether the block ends here
 */
record PackedRun(long first, int count, byte[] packed, boolean isLast) {
    /** Returns the report sequence after the last. */
    long end() {
        return first + count;
    }
}
