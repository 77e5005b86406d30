package io.sealbook.client.expiry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * What is known of expired batches, by the ClOrdIDs in them: the notes of the program, and the reports that refuse
 * them. A report of block B refuses a batch that was valid until a block before B. A note and a report of the same
 * batch are a pair, whichever comes first; a batch that is signed after a report has been seen is valid until its block
 * or longer, and makes no pair with it. For one thread.
 *
 * <p>Of either kind the last {@link #KEPT_MAX} of a ClOrdID without the other one are kept. A ClOrdID is forgotten with
 * its last one, or as the oldest one beyond the bound, on which those of open orders do not count: the refusal of a
 * batch that has expired must not end an order that was submitted again.
 */
public final class ExpiredBatches {
    public static final int KEPT_MAX = 64;

    /** As many of the oldest are looked at for each that comes, so that the bound is reached when orders have ended. */
    private static final int LOOKS = 2;

    private final int idsMax;
    private final LongPredicate isOpen;
    /** Those that were looked at last, or became known last, at the end. */
    private final Map<Long, Unpaired> byId = new LinkedHashMap<>();

    private static final class Unpaired {
        /** Last valid blocks of the batches that the program has noted, and no report has refused so far. */
        final List<Long> noted = new ArrayList<>();
        /** Blocks of the reports whose batches the program has not noted so far. */
        final List<Long> refused = new ArrayList<>();
    }

    /**
     * @param idsMax ClOrdIDs without an open order of which something is kept, at least 1
     * @param isOpen returns whether the order of a ClOrdID is open
     */
    public ExpiredBatches(int idsMax, LongPredicate isOpen) {
        this.idsMax = idsMax;
        this.isOpen = isOpen;
    }

    /**
     * Takes a note of the program.
     *
     * @param clOrdId of an entry of the batch
     * @param validUntilBlock last block that could contain the batch
     * @return whether nothing was known of the batch: no report has refused it
     */
    public boolean note(long clOrdId, long validUntilBlock) {
        Unpaired known = of(clOrdId);
        for (int i = 0; i < known.refused.size(); i++) {
            if (known.refused.get(i) > validUntilBlock) {
                known.refused.remove(i);
                forgetIfPaired(clOrdId, known);
                return false;
            }
        }
        add(known.noted, validUntilBlock);
        return true;
    }

    /**
     * Takes a report.
     *
     * @param clOrdId that it refuses
     * @param block the one that holds the batch
     * @return whether nothing was known of the batch: the program has not noted it
     */
    public boolean refuse(long clOrdId, long block) {
        Unpaired known = of(clOrdId);
        for (int i = 0; i < known.noted.size(); i++) {
            if (known.noted.get(i) < block) {
                known.noted.remove(i);
                forgetIfPaired(clOrdId, known);
                return false;
            }
        }
        add(known.refused, block);
        return true;
    }

    private Unpaired of(long clOrdId) {
        Unpaired known = byId.computeIfAbsent(clOrdId, id -> new Unpaired());
        for (int i = 0; i < LOOKS && byId.size() > idsMax; i++) {
            long oldest = byId.keySet().iterator().next();
            Unpaired ofOldest = byId.remove(oldest);
            if (oldest == clOrdId || isOpen.test(oldest)) {
                byId.put(oldest, ofOldest);
            }
        }
        return known;
    }

    private void forgetIfPaired(long clOrdId, Unpaired known) {
        if (known.noted.isEmpty() && known.refused.isEmpty()) {
            byId.remove(clOrdId);
        }
    }

    private static void add(List<Long> blocks, long block) {
        blocks.add(block);
        if (blocks.size() > KEPT_MAX) {
            blocks.remove(0);
        }
    }
}
