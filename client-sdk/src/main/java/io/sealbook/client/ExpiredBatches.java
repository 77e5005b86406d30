package io.sealbook.client;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known of the expired batches with one ClOrdID: the notes of the program, and the reports that refuse them. A
 * report of block B refuses a batch that was valid until a block before B. A note and a report of the same batch are a
 * pair, whichever comes first; a batch that is signed after a report has been seen is valid until its block or longer,
 * and makes no pair with it. Of either kind the last {@link #KEPT_MAX} without the other one are kept. For one thread.
 */
final class ExpiredBatches {
    static final int KEPT_MAX = 64;

    /** Last valid blocks of the batches that the program has noted, and no report has refused so far. */
    private final List<Long> noted = new ArrayList<>();
    /** Blocks of the reports whose batches the program has not noted so far. */
    private final List<Long> refused = new ArrayList<>();

    /**
     * Takes a note of the program.
     *
     * @param validUntilBlock last block that could contain the batch
     * @return whether nothing was known of the batch: no report has refused it
     */
    boolean note(long validUntilBlock) {
        for (int i = 0; i < refused.size(); i++) {
            if (refused.get(i) > validUntilBlock) {
                refused.remove(i);
                return false;
            }
        }
        add(noted, validUntilBlock);
        return true;
    }

    /**
     * Takes a report.
     *
     * @param block the one that holds the batch
     * @return whether nothing was known of the batch: the program has not noted it
     */
    boolean refuse(long block) {
        for (int i = 0; i < noted.size(); i++) {
            if (noted.get(i) < block) {
                noted.remove(i);
                return false;
            }
        }
        add(refused, block);
        return true;
    }

    private static void add(List<Long> blocks, long block) {
        blocks.add(block);
        if (blocks.size() > KEPT_MAX) {
            blocks.remove(0);
        }
    }
}
