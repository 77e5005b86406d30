package io.sealbook.pbft;

import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;

/** Everything that can happen to a replica. */
public sealed interface Input {
    /**
     * First input of each duty cycle. Sets the instant that block times are made from and judged by, and sends the
     * acknowledgements gathered in the cycle before.
     *
     * @param nowNs nanoseconds since the epoch
     */
    record Clock(long nowNs) implements Input {}

    /**
     * A batch's payload is durable, in the class in which records are, and its signature verified. At a restart it
     * comes again, between {@link BlockTransferred} and {@link Replica#start}, for each batch that is in no block.
     *
     * <p>The batches of a session come in the order of their numbers, from the one after its last delivered batch on.
     * Exceptions are a batch that a proposal names, and one that is dropped unless a proposal names it.
     *
     * @param end the batch with its place in its session
     * @param previous id of the batch before it in the session; zeros for number 1
     * @param arrivalTimeNs nanoseconds since the epoch
     * @param validUntilBlock last sequence number whose block may contain the batch
     */
    record BatchAvailable(SessionEnd end, Digest previous, long arrivalTimeNs, long validUntilBlock) implements Input {
        /** The value of {@code validUntilBlock} of a batch that is dropped unless a proposal names it. */
        public static final long ONLY_IF_NAMED = 0;

        Digest batchId() {
            return end.id();
        }

        /** Returns whether the batch is dropped unless a proposal names it. */
        public boolean isOnlyIfNamed() {
            return validUntilBlock == ONLY_IF_NAMED;
        }

        /** Returns the broker, whose batches keep their order. */
        int client() {
            return SessionKey.brokerId(end.sessionKey());
        }
    }

    /**
     * Nobody need wait for these batches any more: their broker has signed two under one number of their session, and
     * no other replica may have the same one. What is pending of them is dropped, unless a proposal that may still be
     * delivered names it.
     */
    record BatchesWithdrawn(List<Digest> batchIds) implements Input {
        public BatchesWithdrawn {
            batchIds = List.copyOf(batchIds);
        }
    }

    /** A message whose frame is authentic and whose signatures all verified. */
    record Received(Message message) implements Input {}

    /**
     * The timer ran out. Best passed after the cycle's messages: what they deliver restarts timers that a pause of the
     * process let run out.
     */
    record TimerFired(Timer timer) implements Input {}

    /**
     * The engine's result of a delivered block. Blocks come in order; after a restart those from the stable checkpoint
     * on come again.
     *
     * @param sequence of the block
     * @param chainHash hash of the block's header
     * @param resultDigest the engine's result digest after the block
     */
    record Executed(long sequence, Digest chainHash, Digest resultDigest) implements Input {
        Outcome outcome() {
            return new Outcome(chainHash, resultDigest);
        }
    }

    /**
     * A block reached the archive without having been delivered by this replica object: it was there at the restart, or
     * came from a peer's archive. Its batches are neither waited for nor proposed again, and a replica that lacks it is
     * sent what was decided. Comes in order, at a restart between {@link Replica#restore} and {@link Replica#start} for
     * each block above the stable checkpoint at least, otherwise before {@link StateTransferred}.
     *
     * @param sequence of the block
     * @param proposalDigest of its proposal
     * @param batches of the block, each with its place in its session
     */
    record BlockTransferred(long sequence, Digest proposalDigest, List<SessionEnd> batches) implements Input {
        public BlockTransferred {
            batches = List.copyOf(batches);
        }
    }

    /**
     * The archive holds the chain up to the certificate's block; also ends the isolation of a replica whose engine has
     * been rebuilt. What the certificate does not prove is refused with an {@link InvariantViolation}.
     *
     * @param sequence of the certificate's block
     * @param chainHash hash of the header of that block in the archive
     * @param certificate whose signatures the shell has verified
     */
    record StateTransferred(long sequence, Digest chainHash, StableCertificate certificate) implements Input {}
}
