package io.sealbook.node.port;

import io.sealbook.node.payload.Payload;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.StableCertificate;
import java.util.List;

/** What the committer is asked to do, in order. */
public sealed interface CommitTask {
    /**
     * A peer sent a certificate whose signatures are genuine. If it is that of the last block of this node's epoch, the
     * epoch has ended; agreement takes no notice of it if it was shown a later one first.
     */
    record CertificateReceived(StableCertificate certificate) implements CommitTask {}

    /**
     * Agreement delivered the next block.
     *
     * @param proposal that all agreed on
     * @param batches of the block, in its order
     * @param times of its life until now
     */
    record Deliver(Proposal proposal, List<Payload> batches, BlockTimes times) implements CommitTask {}

    /** Agreement holds a certificate for blocks that are, or will be, in the archive. */
    record StoreCertificate(StableCertificate certificate) implements CommitTask {}

    /** Blocks up to the certificate's are to be fetched from peers. */
    record Transfer(StableCertificate target) implements CommitTask {}

    /** A peer's answer to a request for blocks; certificate may be null. */
    record BlocksReceived(int source, long from, List<byte[]> blocks, byte[] certificate) implements CommitTask {}

    /** Batches and signatures of such an answer have been checked. */
    record BlocksChecked(CheckedBlocks checked) implements CommitTask {}

    /** Something in the archive was found damaged. */
    record DamageFound() implements CommitTask {}

    /** What a peer sent in the place of something damaged has been judged. */
    record RepairJudged(RepairVerdict verdict) implements CommitTask {}
}
