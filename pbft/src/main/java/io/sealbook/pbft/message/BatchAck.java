package io.sealbook.pbft.message;

import java.util.List;

/**
 * The sender has stored and verified all batches of these sessions up to the ones named. Goes to the primary; to
 * everybody when a batch has waited for a heartbeat period, so that all know what the primary could propose.
 */
public record BatchAck(List<SessionEnd> ends, int sender) implements Message {
    /** Sessions in one acknowledgement, or batches in one report of arrivals; more make further messages. */
    public static final int ENDS_MAX = 256;

    public BatchAck {
        ends = List.copyOf(ends);
    }
}
