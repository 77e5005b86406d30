package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.StableCertificate;
import java.util.List;

/**
 * An order of the replica to its shell. The shell carries out the outputs of a duty cycle in this order: every
 * {@link Persist} (then one fsync where the durability class requires it), then {@link Send} and {@link Broadcast},
 * then {@link Deliver}, then the rest.
 */
public sealed interface Output {
    record Persist(ReplicaRecord record) implements Output {}

    record Send(int to, Message message) implements Output {}

    /** To all others; the replica has counted its own copy. */
    record Broadcast(Message message) implements Output {}

    /**
     * The next block of the chain; strictly in sequence order, without gaps. No batch comes in two blocks.
     *
     * @param ranges the batches of the block, one range for each end that the proposal names; {@link BlockOrder} gives
     *     their order
     * @param isInOrder whether the ranges are in the order of the block
     */
    record Deliver(Proposal proposal, List<BatchRange> ranges, boolean isInOrder) implements Output {
        public Deliver {
            ranges = List.copyOf(ranges);
        }
    }

    /** Starts the timer; a timer that runs starts again. */
    record StartTimer(Timer timer, long delayNs) implements Output {}

    record StopTimer(Timer timer) implements Output {}

    /**
     * Batches are missing: ask the first of {@code holders}, the others if it is not connected. Comes again with the
     * holders rotated until they are available: by {@link Input.BatchAvailable} if they follow what is held, otherwise
     * by {@link Input.RangeAvailable}.
     *
     * @param isNamed whether a proposal names them, so that they must be taken whatever the limits of the shell; if
     *     not, another member only acknowledged them, and its share limits what is taken (pitfall 15)
     */
    record Fetch(List<BatchRange> ranges, List<Integer> holders, boolean isNamed) implements Output {
        public Fetch {
            ranges = List.copyOf(ranges);
            holders = List.copyOf(holders);
        }
    }

    /**
     * Another replica acknowledges a session that is withdrawn here: it may lack the two batches that prove why,
     * because they were lost on their way to it. Comes once for each such replica and STATUS period at most.
     *
     * @param to the replica that acknowledged
     * @param sessionKey of the withdrawn session
     */
    record ShowEvidence(int to, long sessionKey) implements Output {}

    /**
     * Blocks up to the certificate's are missing for good: take them from peers' archives, then pass StateTransferred.
     */
    record TransferState(StableCertificate target) implements Output {}

    /** The low watermark moved: store the certificate; payloads of blocks up to it need not be served any more. */
    record StableCheckpoint(StableCertificate certificate) implements Output {}

    /**
     * Batches that were held will never be in a block by all that this replica holds: a block has others under their
     * numbers, or before them, or their session was withdrawn. The shell forgets those that {@link Deliver} did not
     * name in the same duty cycle.
     */
    record Drop(List<SessionEnd> batches) implements Output {
        public Drop {
            batches = List.copyOf(batches);
        }
    }

    /** A view began. */
    record ViewEntered(long view, int primary) implements Output {}

    /**
     * The own block or the own engine's result differs from what f+1 others signed: the replica stopped voting until
     * StateTransferred.
     *
     * @param sequence of the checkpoint
     * @param own outcome that the shell reported
     * @param agreed outcome that f+1 others, or a certificate, signed
     */
    record Isolated(long sequence, Outcome own, Outcome agreed) implements Output {}

    /**
     * Another replica signed two statements that exclude each other; once for each replica and life at most.
     *
     * @param evidence to be kept
     * @param messages with the statements, as far as they are here: they go to all others, so that each finds the same
     */
    record DoubleVoted(DoubleVote evidence, List<Message> messages) implements Output {
        public DoubleVoted {
            messages = List.copyOf(messages);
        }
    }

    /** A message was refused; counted by reason. {@link IgnoreReason#isFault} returns whether its sender is faulty. */
    record Ignored(Message message, IgnoreReason reason) implements Output {}
}
