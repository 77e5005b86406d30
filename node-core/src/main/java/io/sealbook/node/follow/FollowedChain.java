package io.sealbook.node.follow;

import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.MalformedBlockException;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.Membership;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.node.transfer.CertificateChecker;
import io.sealbook.pbft.Quorum;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The chain as a follower has verified it. Blocks and certificates come from one source at a time, heads from every
 * member. A block is confirmed when a certificate covers it, or f + 1 members have signed a head at or after it; until
 * then it is held. What contradicts these facts is a fault of the source: the caller goes on with another one, after
 * {@link #restart}. Certificates and heads are judged by the nodes of their block's epoch, as the administrative
 * transactions of the chain name them.
 *
 * <pre>
 *   stored ── confirmed ── held (linked to the confirmed end, not confirmed) ── next
 *             poll()       restart() forgets these
 * </pre>
 *
 * <p>One thread.
 */
public final class FollowedChain {
    private final FollowTerms terms;
    private final BlockJudge judge;
    private final SignatureVerifier verifier;
    private final MemberHeads.Chain heldChain = new MemberHeads.Chain() {
        @Override
        public Digest hashOf(long sequence) {
            return FollowedChain.this.hashOf(sequence);
        }

        @Override
        public VerificationKey keyOf(int nodeId, long sequence) {
            Membership members = nodesOf(sequence);
            return members.hasNode(nodeId) ? members.identity(nodeId) : null;
        }

        @Override
        public int oneCorrect(long sequence) {
            return Quorum.of(nodesOf(sequence).terms().getNodesCount()).oneCorrect();
        }
    };

    private HeadVerifier headVerifier;
    private MemberHeads heads;
    /** Linked to the confirmed end. */
    private final List<Held> held = new ArrayList<>();

    private final ArrayDeque<Block> confirmed = new ArrayDeque<>();
    private final ArrayDeque<CheckpointCertificate> certificates = new ArrayDeque<>();
    private long heldBytes;
    private LastBlock confirmedLast;
    /** Up to the membership in effect for the block after the confirmed end. */
    private ChainEpochs confirmedEpochs;

    private long certifiedEnd;

    /** A block with the membership in effect for the one after it. */
    private record Held(Block block, LastBlock place, Membership membership) {}

    /**
     * @param terms what is taken on trust
     * @param judge of each block by itself
     * @param verifier of the members' signatures; stays the caller's
     */
    public FollowedChain(FollowTerms terms, BlockJudge judge, SignatureVerifier verifier) {
        this.terms = terms;
        this.judge = judge;
        this.verifier = verifier;
    }

    /**
     * Begins after the blocks that are stored.
     *
     * @param last stored block; sequence 0 and the genesis digest before the first
     * @param epochs of the stored blocks, up to the membership in effect for the next one; not the caller's any more
     * @param certified sequence of the newest stored certificate; 0 if there is none
     */
    public void beginAfter(LastBlock last, ChainEpochs epochs, long certified) {
        Genesis members = epochs.last().terms();
        confirmedLast = last;
        confirmedEpochs = epochs;
        certifiedEnd = certified;
        headVerifier = new HeadVerifier(members.getChainId(), verifier);
        heads = new MemberHeads(Math.max(members.getNodesCount(), Membership.NODES_MAX), heldChain);
    }

    /** Returns the next block to request. */
    public long nextSequence() {
        return confirmedEnd() + held.size() + 1;
    }

    /** Returns the last confirmed block. */
    public long confirmedEnd() {
        return confirmedLast.sequence();
    }

    /** Returns the configuration in effect after the last confirmed block. */
    public Genesis confirmedTerms() {
        return confirmedEpochs.last().terms();
    }

    /** Returns the newest certificate's block. */
    public long certifiedEnd() {
        return certifiedEnd;
    }

    /** Returns how many blocks wait for their confirmation. */
    public int heldCount() {
        return held.size();
    }

    /** Returns the highest block that at least one correct member has delivered, as far as is known here. */
    public long knownHeight() {
        return Math.max(heads.height(), confirmedEnd());
    }

    /** Returns the newest head of each member that has sent one, for followers of this one. */
    public List<MemberHead> newestHeads() {
        return heads.newest();
    }

    /**
     * Takes the next block of the source.
     *
     * @param bytes not changed any more
     * @return the source's fault; empty if there is none. Nothing of a faulty block is kept
     */
    public Optional<String> onBlock(byte[] bytes) {
        Block block;
        try {
            block = Block.wrap(bytes);
        } catch (MalformedBlockException e) {
            return Optional.of("block " + nextSequence() + ": " + e.getMessage());
        }
        Membership membership = heldMembership();
        Optional<String> fault = unlinked(block)
                .or(() -> judge.fault(block, heldLast(), membership))
                .or(() -> unbounded(block));
        if (fault.isPresent()) {
            return fault;
        }
        MembershipPass pass = new MembershipPass(membership);
        pass.onBlock(block);
        held.add(new Held(block, LastBlock.of(block), pass.membership()));
        heldBytes += block.length();
        if (pass.membership().epoch() != membership.epoch()) {
            heads.takeDeferred().forEach(this::keep);
            heads.removeThrough(confirmedEnd());
        }
        return advance();
    }

    private Optional<String> unlinked(Block block) {
        long sequence = block.header().sequence();
        if (sequence != nextSequence()) {
            return Optional.of("block " + sequence + " came, " + nextSequence() + " was expected");
        }
        Digest previous = block.header().previousHash();
        Digest expected = hashOf(sequence - 1);
        return previous.equals(expected)
                ? Optional.empty()
                : Optional.of("block " + sequence + " names predecessor " + previous + ", expected " + expected);
    }

    private LastBlock heldLast() {
        return held.isEmpty() ? confirmedLast : held.getLast().place();
    }

    private Membership heldMembership() {
        return held.isEmpty() ? confirmedEpochs.last() : held.getLast().membership();
    }

    /** Returns a membership with the nodes of a block's epoch; of those that are not known, the last known ones. */
    private Membership nodesOf(long sequence) {
        long place = sequence - confirmedEnd() - 2;
        return place < 0 || held.isEmpty()
                ? confirmedEpochs.of(sequence)
                : held.get((int) Math.min(place, held.size() - 1)).membership();
    }

    private Optional<String> unbounded(Block block) {
        return heldBytes + block.length() > terms.bytesHeldMax()
                ? Optional.of("blocks " + (confirmedEnd() + 1) + " to " + nextSequence() + " exceed "
                        + terms.bytesHeldMax() + " bytes and are not confirmed")
                : Optional.empty();
    }

    /**
     * Takes a certificate of the source.
     *
     * @param bytes of a {@link CheckpointCertificate}
     * @return the source's fault; empty if there is none. A certificate that is not newer than the last is ignored
     */
    public Optional<String> onCertificate(byte[] bytes) {
        CheckpointCertificate certificate;
        try {
            certificate = CheckpointCertificate.decode(bytes);
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
        long sequence = certificate.sequence();
        if (sequence <= certifiedEnd) {
            return Optional.empty();
        }
        if (sequence >= nextSequence()) {
            return Optional.of("certificate of block " + sequence + " came before block " + nextSequence());
        }
        if (!new CertificateChecker(nodesOf(sequence).terms(), verifier).isValid(certificate)) {
            return Optional.of("certificate of block " + sequence + " has no quorum of valid signatures");
        }
        if (sequence > confirmedEnd() && !hashOf(sequence).equals(certificate.chainHash())) {
            return Optional.of("block " + sequence + " has another hash than its certificate");
        }
        certifiedEnd = sequence;
        certificates.add(certificate);
        confirmThrough(sequence);
        return Optional.empty();
    }

    /**
     * Takes a head of any member, from any source.
     *
     * @return the fault of the source of blocks, if f + 1 members contradict it; empty if there is none. A head whose
     *     signature is not valid is ignored
     */
    public Optional<String> onHead(MemberHead head) {
        if (!heads.isNews(head) || !keep(head)) {
            return Optional.empty();
        }
        heads.removeThrough(confirmedEnd());
        return advance();
    }

    /** Returns whether the head is valid by the last keys that are known for its block. */
    private boolean keep(MemberHead head) {
        VerificationKey key = heldChain.keyOf(head.nodeId(), head.sequence());
        if (key != null && headVerifier.isValid(head, key)) {
            heads.add(head, key);
            return true;
        }
        if (head.sequence() > nextSequence()) {
            heads.defer(head);
        }
        return false;
    }

    private Optional<String> advance() {
        long end = confirmedEnd() + held.size();
        confirmThrough(terms.isSourceTrusted() ? end : heads.confirmed(end));
        return heads.contradiction(end)
                .map(head -> "block " + head.sequence() + " has hash " + hashOf(head.sequence())
                        + ", but f + 1 members have another one, as node " + head.nodeId() + ": " + head.blockHash());
    }

    private void confirmThrough(long sequence) {
        while (confirmedEnd() < sequence) {
            Held next = held.remove(0);
            heldBytes -= next.block().length();
            confirmedLast = next.place();
            confirmedEpochs.add(next.membership());
            confirmed.add(next.block());
        }
        heads.removeThrough(confirmedEnd());
    }

    private Digest hashOf(long sequence) {
        return sequence == confirmedEnd()
                ? confirmedLast.hash()
                : held.get((int) (sequence - confirmedEnd() - 1)).place().hash();
    }

    /** Forgets the blocks that are not confirmed: the next ones come from another source. */
    public void restart() {
        held.clear();
        heldBytes = 0;
    }

    /** Returns the next confirmed block, in order; null if there is none. */
    public Block pollBlock() {
        return confirmed.poll();
    }

    /** Returns the next certificate, whose block {@link #pollBlock} has returned before; null if there is none. */
    public CheckpointCertificate pollCertificate() {
        return confirmed.isEmpty() ? certificates.poll() : null;
    }
}
