package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;

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
     * <p>The batches of a session come in the order of their numbers, from the one after its last delivered batch on;
     * one that does not follow what is held is not taken.
     *
     * @param end the batch with its place in its session
     * @param previous id of the batch before it in the session; zeros for number 1
     */
    record BatchAvailable(SessionEnd end, Digest previous) implements Input {}

    /**
     * All batches of a range that a {@link Output.Fetch} named are durable, whatever else the session holds here: its
     * broker signed two batches under one number.
     */
    record RangeAvailable(BatchRange range) implements Input {}

    /**
     * No replica waits for this session any more: its broker has signed two batches under one number of it, and no
     * other replica may have the same one. What is held of it is dropped beyond {@link Replica#namedThrough}.
     *
     * @param sessionKey see {@link io.sealbook.vocabulary.SessionKey}
     */
    record SessionWithdrawn(long sessionKey) implements Input {}

    /**
     * This replica is about to stop: it proposes nothing any more, and ends each view whose primary it is. It goes on
     * voting, so that the next view begins with its help.
     */
    record HandOver() implements Input {}

    /** Another replica is connected: what is sent to it arrives. */
    record Connected(int replica) implements Input {}

    /** The connection to another replica ended. */
    record Disconnected(int replica) implements Input {}

    /**
     * A heartbeat period is over. Comes from the thread that reads the connections, after what arrived in the period
     * was read: a pause of this process then makes no other replica look silent. Periods are never shorter than
     * {@link ReplicaConfig#heartbeatNs}; one that is left out does no harm.
     *
     * @param replicas bit r is set if something of replica r arrived in the period, or nothing was read from it
     */
    record Heard(long replicas) implements Input {}

    /** A message whose frame is authentic and whose signatures all verified. */
    record Received(Message message) implements Input {}

    /**
     * The timer ran out. Best passed after the cycle's messages: what they deliver restarts timers that a pause of the
     * process let run out.
     */
    record TimerFired(Timer timer) implements Input {}

    /**
     * The engine's result of a delivered block. Blocks come in order; after a restart those from the stable checkpoint
     * on come again. Only checkpoints, blocks with administrative batches and the block of the stable checkpoint
     * matter.
     *
     * @param sequence of the block
     * @param chainHash hash of the block's header
     * @param resultDigest the engine's result digest after the block
     * @param certified certificate of the block that this node holds already, against which the result is compared: an
     *     engine that executes old blocks again is found wrong at the first of them
     */
    record Executed(long sequence, Digest chainHash, Digest resultDigest, Optional<StableCertificate> certified)
            implements Input {
        /**
         * A result of a block whose certificate this node does not hold.
         *
         * @param sequence of the block
         * @param chainHash hash of the block's header
         * @param resultDigest the engine's result digest after the block
         */
        public Executed(long sequence, Digest chainHash, Digest resultDigest) {
            this(sequence, chainHash, resultDigest, Optional.empty());
        }

        Outcome outcome() {
            return new Outcome(chainHash, resultDigest);
        }
    }

    /**
     * The engine's result of the last block, which no block has followed for a while: a checkpoint between those of the
     * interval, so that what a quiet market did last is certified, too. May come again as long as no block follows.
     *
     * @param sequence of the last delivered block; the input counts for nothing if another one is delivered
     * @param chainHash hash of the block's header
     * @param resultDigest the engine's result digest after the block
     */
    record Quiet(long sequence, Digest chainHash, Digest resultDigest) implements Input {
        Outcome outcome() {
            return new Outcome(chainHash, resultDigest);
        }
    }

    /**
     * The administrative transactions of a block are executed. Comes once for each block that has any and that this
     * replica delivered, or that reached the archive by a state transfer: after its {@link BlockTransferred}, and
     * before {@link StateTransferred}. At a restart it comes for the last block if that ends the epoch, between
     * {@link Replica#restore} and {@link Replica#start}.
     *
     * @param sequence of the block
     * @param endsEpoch whether the replicas of the next block are others, or have other keys or parameters. No block
     *     after this one is delivered then; when its certificate is stable, the replica has nothing more to do
     */
    record AdministrationExecuted(long sequence, boolean endsEpoch) implements Input {}

    /**
     * A block reached the archive without having been delivered by this replica object: it was there at the restart, or
     * came from a peer's archive. Its batches are neither waited for nor proposed again, and a replica that lacks it is
     * sent what was decided. Comes in order, at a restart between {@link Replica#restore} and {@link Replica#start} for
     * each block above the stable checkpoint at least, otherwise before {@link StateTransferred}.
     *
     * @param sequence of the block
     * @param proposalDigest of its proposal
     * @param ends last batch of each session that the block served
     */
    record BlockTransferred(long sequence, Digest proposalDigest, List<SessionEnd> ends) implements Input {
        public BlockTransferred {
            ends = List.copyOf(ends);
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
