package io.sealbook.node.block;

import io.sealbook.archive.Block;
import io.sealbook.pbft.message.SessionEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The sessions that a block serves, as its proposal names them. Stateless. */
public final class SessionEnds {
    private SessionEnds() {}

    /**
     * Returns the last batch of each session, ascending by session.
     *
     * @param block whose batches are looked at
     * @param headers of these batches
     */
    public static List<SessionEnd> of(Block block, BatchHeaders headers) {
        TreeMap<Long, SessionEnd> ends = new TreeMap<>();
        for (int i = 0; i < headers.count(); i++) {
            long sessionKey = headers.sessionKey(i);
            ends.put(sessionKey, new SessionEnd(sessionKey, headers.number(i), block.batchId(i)));
        }
        return List.copyOf(ends.values());
    }

    /**
     * Returns the last batch of each run of one session, in the order of the block: what a proposal names with fair
     * order.
     *
     * @param block whose batches are looked at
     * @param headers of these batches
     */
    public static List<SessionEnd> inOrder(Block block, BatchHeaders headers) {
        List<SessionEnd> ends = new ArrayList<>();
        for (int i = 0; i < headers.count(); i++) {
            if (i + 1 == headers.count() || headers.sessionKey(i + 1) != headers.sessionKey(i)) {
                ends.add(new SessionEnd(headers.sessionKey(i), headers.number(i), block.batchId(i)));
            }
        }
        return List.copyOf(ends);
    }
}
