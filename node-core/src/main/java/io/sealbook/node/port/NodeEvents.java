package io.sealbook.node.port;

import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.member.TransactionFate;
import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.message.Message;
import io.sealbook.protocol.v1.RefusalReason;
import java.util.List;

/** Facts for operators: the shell counts and logs them. Nothing here decides, waits or fails. Any thread. */
public interface NodeEvents {
    /** A batch of a broker was refused. */
    void refused(RefusalReason reason);

    /**
     * A batch of a peer was refused.
     *
     * @param peer member that sent it, from 0
     * @param reason the first rule that the batch broke
     */
    void peerRefused(int peer, RefusalReason reason);

    /**
     * A batch of a peer names a broker or a key that is not known here yet: the peer is further along the chain. It is
     * asked for again.
     *
     * @param peer member that sent it, from 0
     */
    void early(int peer);

    /**
     * An administrative transaction is in a block.
     *
     * @param fate what became of it
     */
    void administered(TransactionFate fate);

    /**
     * A broker signed two batches under one number; both are kept as evidence, and the session is suspended here.
     *
     * @param sessionKey of the session
     * @param number of both batches
     */
    void equivocated(long sessionKey, long number);

    /**
     * A member signed two statements that exclude each other; both are kept as evidence.
     *
     * @param evidence for anybody who has the genesis file
     */
    void doubleVoted(MemberEvidence evidence);

    /**
     * Evidence cannot be written, the first piece since all was written; it is held in memory until there is room.
     *
     * @param fact what the system reports
     */
    void evidenceUnwritten(String fact);

    /**
     * All evidence that waited for room is written.
     *
     * @param lost pieces that are not: memory had no room for them either
     */
    void evidenceWritten(int lost);

    /**
     * At the start, the file of session heads was lost.
     *
     * @param blockCount how many blocks were read to find the heads
     */
    void headsRebuilt(long blockCount);

    /** Headers of this many batches were decoded, at admission or later. */
    void decoded(int batchCount);

    /** A batch of a broker was admitted, with this many orders. */
    void admitted(int orderCount);

    /**
     * A block is in the archive and handed on.
     *
     * @param batchCount its batches
     * @param orderCount their orders
     */
    void committed(int batchCount, long orderCount);

    /**
     * A block that was agreed on here is in the archive and handed on now.
     *
     * @param sequence of the block
     * @param times of its life until its agreement
     */
    void blockDone(long sequence, BlockTimes times);

    /**
     * A batch is in a block; it arrived here at this instant of the monotonic clock, in nanoseconds, or before the
     * start.
     */
    void delivered(long receivedNs);

    /**
     * Agreement refused a message.
     *
     * @param message refused
     * @param reason shows whether its sender is at fault
     */
    void ignored(Message message, IgnoreReason reason);

    /**
     * A view began.
     *
     * @param view its number
     * @param primary member that proposes in it
     */
    void viewEntered(long view, int primary);

    /** This node's engine, or its chain, differs from that of a quorum; it does not vote any more. */
    void isolated(Output.Isolated facts);

    /**
     * This node votes again.
     *
     * @param checkpoint of the certificate that its engine agrees with, or up to which its state was transferred
     */
    void isolationEnded(long checkpoint);

    /** Batches that had not arrived were asked for. */
    void fetched(int batchCount);

    /**
     * A state transfer began.
     *
     * @param from last block that is here
     * @param to block of the certificate
     */
    void transferStarted(long from, long to);

    /** A state transfer reached the block of its certificate. */
    void transferReached(long sequence);

    /** Blocks of a transfer were adopted. */
    void transferred(int blockCount);

    /**
     * Blocks that a peer sent are not right; the range is asked of another peer.
     *
     * @param peer member that sent them
     * @param from first sequence of its answer
     * @param fault what is wrong with them
     */
    void transferRefused(int peer, long from, String fault);

    /**
     * A certificate that came with blocks of a transfer is not signed by a quorum: the blocks wait for another one.
     *
     * @param peer member that sent it
     * @param sequence block of the certificate
     */
    void certificateRefused(int peer, long sequence);

    /** Blocks that different peers sent contradict each other or a certificate; they are asked for again. */
    void transferBroken(String fact);

    /**
     * At the start, the records of this replica's votes were lost, and the operator's option lets it vote all the same.
     *
     * @param fact what shows that the replica may have voted before
     */
    void replicaLogLossAccepted(String fact);

    /**
     * At the start, batches that wait for their block were taken back.
     *
     * @param batchCount how many
     * @param damage what was durable in their log and did not read back, one fact each
     */
    void payloadsRestored(int batchCount, List<String> damage);

    /**
     * The disk has changed blocks; they are served to no reader until they are repaired.
     *
     * @param sequences of the blocks, ascending
     */
    void blocksDamaged(List<Long> sequences);

    /**
     * The disk has changed certificates.
     *
     * @param after certificate before them, 0 if there is none
     * @param before certificate after them
     */
    void certificatesDamaged(long after, long before);

    /**
     * A damaged block was written anew.
     *
     * @param sequence of the block
     * @param peer member that sent it
     */
    void blockRepaired(long sequence, int peer);

    /**
     * Damaged certificates were replaced.
     *
     * @param after certificate before them, 0 if there is none
     * @param before certificate after them
     * @param count how many a peer had
     */
    void certificatesRepaired(long after, long before, int count);

    /**
     * What a peer sent in the place of something damaged is not right; it is asked for that no more.
     *
     * @param peer member that sent it
     * @param sequence of the block, or of the first one whose certificate is damaged
     * @param fault what is wrong with it
     */
    void repairRefused(int peer, long sequence, String fault);

    /**
     * Something damaged cannot be repaired as things are; it is tried again later.
     *
     * @param sequence of the block, or of the first one whose certificate is damaged
     * @param why what is in the way
     */
    void repairPostponed(long sequence, String why);

    /** At the start, blocks that only the archive held were handed on. */
    void handedOver(long blockCount);
}
