package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.port.CheckedBlocks;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.ReceivedBlocks;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Fetches the blocks between this node's last one and a certificate's. A state machine on the committer's thread.
 *
 * <p>Ranges are asked of connected peers, several at a time; {@link TransferPeers} chooses them. Of an answer, batches
 * and signatures are checked first, on other threads, by the membership that follows from the blocks before it; one
 * that is not right is discarded, and the range asked of another peer. What is right is linked to a chain in memory; a
 * prefix of it is verified when a certificate covers its last block, what {@link LinkedBlocks} does not hold when it
 * has come again. A chain that contradicts a certificate, or that the next block does not continue, is discarded whole:
 * no check of an answer alone finds an altered header.
 *
 * <pre>
 *   IDLE ──start──▶ RUNNING ──verified up to the target──▶ IDLE (pollReached)
 * </pre>
 */
public final class StateTransfer {
    private static final int BLOCKS_PER_REQUEST = 16;
    private static final int REQUESTS_IN_FLIGHT_MAX = 4;
    private static final int ANSWERS_AHEAD_MAX = 8;
    /** An answer may fill a frame of many MB; asking again before it has come would only add to a peer's load. */
    private static final long ANSWER_TIMEOUT_NS = 3_000_000_000L;

    /** Certificates without a quorum, of one peer in one transfer, after which others are asked. */
    private static final int FORGED_MAX = 3;

    private static final long TICK_NS = 100_000_000L;

    private final BlockRequests requests;
    private final CertificateChecker checker;
    private final BlockChecks checks;
    private final int checkpointInterval;
    private final Limits limits;
    private final NodeEvents events;
    private final TransferPeers peers;

    private StableCertificate target;
    private StableCertificate reached;
    private LastBlock verifiedEnd;
    /** Linked to verifiedEnd, not yet covered by a certificate. */
    private final LinkedBlocks unverified;
    /** Proven, to be polled. */
    private final ArrayDeque<DecodedBlock> verified = new ArrayDeque<>();

    private long verifiedBytes;
    /** Of the blocks that are proven or linked. */
    private final LinkedMembership membership = new LinkedMembership();
    /** Answers whose batches and signatures are being checked, by first sequence. */
    private final TreeMap<Long, ReceivedBlocks> checking = new TreeMap<>();
    /** Those of them whose check has not begun: it needs the membership of blocks before them. */
    private final TreeMap<Long, ReceivedBlocks> waiting = new TreeMap<>();
    /** Answers ahead of the chain, by first sequence. */
    private final TreeMap<Long, CheckedBlocks> ahead = new TreeMap<>();

    private final TransferCertificates certificates;
    private final TreeMap<Long, Request> inFlight = new TreeMap<>();

    /**
     * What a transfer holds.
     *
     * @param checkpointInterval blocks between checkpoints, 1 or more
     * @param logWindow blocks between two certificates at most
     * @param heldBytesMax of further blocks only the hash is held, and one range is asked for at a time
     */
    public record Limits(int checkpointInterval, int logWindow, long heldBytesMax) {
        private static final long HELD_BYTES_MAX = 256L << 20;

        /**
         * Returns the limits of a node.
         *
         * @param checkpointInterval blocks between checkpoints, 1 or more
         * @param logWindow blocks between two certificates at most
         */
        public static Limits of(int checkpointInterval, int logWindow) {
            return new Limits(checkpointInterval, logWindow, HELD_BYTES_MAX);
        }
    }

    private record Request(int peer, int count, long deadlineNs) {}

    /**
     * @param requests asks peers for blocks
     * @param checker judges the certificates that come with them
     * @param checks checks batches and signatures elsewhere
     * @param limits of what is held
     * @param events counted and logged
     */
    public StateTransfer(
            BlockRequests requests, CertificateChecker checker, BlockChecks checks, Limits limits, NodeEvents events) {
        this.requests = requests;
        this.checker = checker;
        this.checks = checks;
        this.checkpointInterval = limits.checkpointInterval();
        this.limits = limits;
        unverified = new LinkedBlocks(limits.heldBytesMax());
        certificates = new TransferCertificates(Math.max(checkpointInterval, BLOCKS_PER_REQUEST));
        this.events = events;
        peers = new TransferPeers(checkpointInterval, events);
    }

    public boolean isRunning() {
        return target != null;
    }

    /** Returns how many blocks are still to be proven; 0 when no transfer runs. */
    public long distance() {
        return target == null ? 0 : target.sequence() - verifiedEnd.sequence();
    }

    /** Returns the interval in which {@link #onTick} must be called while a transfer runs. */
    public long tickIntervalNs() {
        return TICK_NS;
    }

    /**
     * Begins a transfer, or moves the target of a running one ahead.
     *
     * @param newTarget certificate of the block to reach; ignored if a running transfer has this target or a later one
     * @param last last block of the own archive
     * @param afterLast membership in effect for the block after it
     * @param nowNs monotonic clock
     */
    public void start(StableCertificate newTarget, LastBlock last, Membership afterLast, long nowNs) {
        if (target != null && newTarget.sequence() <= target.sequence()) {
            return;
        }
        if (target == null) {
            // What was proven by the transfer before and not polled yet is going to be the end of the archive.
            if (verified.isEmpty()) {
                verifiedEnd = last;
                membership.begin(last, afterLast);
            }
            events.transferStarted(verifiedEnd.sequence(), newTarget.sequence());
        }
        target = newTarget;
        if (verifiedEnd.sequence() >= target.sequence()) {
            finish();
        } else {
            advance();
            request(nowNs);
        }
    }

    /** Asks again what has not been answered in time. */
    public void onTick(long nowNs) {
        if (target == null) {
            return;
        }
        inFlight.values().removeIf(request -> {
            boolean isLate = request.deadlineNs() - nowNs < 0;
            if (isLate) {
                peers.onSilence(request.peer());
            }
            return isLate;
        });
        request(nowNs);
    }

    /**
     * Takes an answer and has it checked.
     *
     * @param source member that sent it
     * @param from first sequence of its blocks
     * @param bytes its blocks
     * @param certificate the certificate that came with them; null if none did
     * @param nowNs monotonic clock
     */
    public void onBlocks(int source, long from, List<byte[]> bytes, byte[] certificate, long nowNs) {
        Request request = inFlight.get(from);
        if (target == null || request == null || request.peer() != source || bytes.isEmpty()) {
            return;
        }
        inFlight.remove(from);
        peers.onAnswer(source);
        List<Block> blocks = new ArrayList<>(bytes.size());
        try {
            for (byte[] block : bytes.subList(0, Math.min(bytes.size(), request.count()))) {
                blocks.add(expected(from + blocks.size(), Block.wrap(block)));
            }
            if (certificate != null) {
                certificates.keep(source, from + blocks.size() - 1, CheckpointCertificate.decode(certificate));
            }
        } catch (IllegalArgumentException e) {
            peers.refuse(source, from, e.getMessage());
            request(nowNs);
            return;
        }
        ReceivedBlocks received = new ReceivedBlocks(source, from, blocks);
        checking.put(from, received);
        waiting.put(from, received);
        beginChecks();
        if (target != null) {
            request(nowNs);
        }
    }

    /** Returns how many certificates wait for the blocks before them. */
    int certificatesHeld() {
        return certificates.count();
    }

    /** Returns the bytes of the blocks that wait for a proof. */
    long unverifiedBytes() {
        return unverified.heldBytes();
    }

    private static Block expected(long sequence, Block block) {
        if (block.header().sequence() != sequence) {
            throw new IllegalArgumentException(
                    "block " + block.header().sequence() + " came, " + sequence + " was expected");
        }
        return block;
    }

    /**
     * Takes the verdict about an answer; one that was refused is asked of another peer.
     *
     * @param checked an answer and its verdict
     * @param nowNs monotonic clock
     */
    public void onChecked(CheckedBlocks checked, long nowNs) {
        ReceivedBlocks received = checked.received();
        if (checking.get(received.from()) != received) {
            return;
        }
        checking.remove(received.from());
        if (checked.isRight()) {
            ahead.put(received.from(), checked);
            advance();
            beginChecks();
        } else {
            peers.refuse(received.source(), received.from(), checked.fault());
        }
        if (target != null) {
            request(nowNs);
        }
    }

    /**
     * Begins the checks for which the membership is known; a verdict may come before this returns. An answer that does
     * not link to the blocks before it is not judged by them: they may be the forged ones.
     */
    private void beginChecks() {
        for (ReceivedBlocks received : List.copyOf(waiting.values())) {
            Block first = received.blocks().getFirst();
            if (received.from() == linkedEnd() + 1 && !links(first.header())) {
                breakChain(received.source(), received.from(), first.hash());
                return;
            }
            Optional<Membership> inEffect = membership.inEffect(first.header());
            if (inEffect.isPresent() && waiting.remove(received.from(), received)) {
                checks.check(received, inEffect.get());
            }
        }
    }

    /** Links what has arrived, verifies what a certificate covers. */
    private void advance() {
        while (!ahead.isEmpty() && ahead.firstKey() <= linkedEnd() + 1) {
            CheckedBlocks answer = ahead.pollFirstEntry().getValue();
            int source = answer.received().source();
            for (DecodedBlock block : answer.blocks()) {
                if (block.header().sequence() <= linkedEnd()) {
                    continue;
                }
                if (!links(block.header())) {
                    breakChain(source, block.header().sequence(), block.hash());
                    return;
                }
                unverified.add(block, source);
                membership.link(block.block());
            }
            verifyPrefix();
            giveUpIfUnproven();
        }
    }

    /** No right chain has so many blocks without a certificate; a few more may come with the answer of one. */
    private void giveUpIfUnproven() {
        int count = unverified.chain().size();
        if (unverified.heldBytes() >= limits.heldBytesMax()
                && count > limits.logWindow() + Math.max(checkpointInterval, BLOCKS_PER_REQUEST)) {
            events.transferBroken("no certificate came with the " + count + " blocks after block "
                    + verifiedEnd.sequence() + ", of which " + unverified.heldBytes() + " bytes are held");
            giveUpChain();
        }
    }

    private boolean links(BlockHeader next) {
        Digest end = unverified.chain().isEmpty()
                ? verifiedEnd.hash()
                : unverified.chain().getLast().hash();
        return next.sequence() == linkedEnd() + 1 && next.previousHash().equals(end);
    }

    /**
     * The next block does not continue the chain. Its sender lies if it sent the block before it, too, or if that one
     * is proven; else one of two peers does.
     */
    private void breakChain(int source, long sequence, Digest hash) {
        String fault = "block " + sequence + " does not link to the chain";
        events.transferBroken(fault);
        if (unverified.chain().isEmpty() || unverified.chain().getLast().source() == source) {
            peers.refuse(source, sequence, fault);
        }
        peers.dispute(source, sequence, hash);
        giveUpChain(
                unverified.chain().isEmpty()
                        ? source
                        : unverified.chain().getFirst().source());
    }

    private void giveUpChain() {
        giveUpChain(unverified.chain().getFirst().source());
    }

    /** @param first peer that sent the first block after the proven ones */
    private void giveUpChain(int first) {
        long sequence = verifiedEnd.sequence();
        for (LinkedBlocks.Linked linked : unverified.chain()) {
            sequence++;
            peers.dispute(linked.source(), sequence, linked.hash());
        }
        peers.onBroken(first);
        dropUnverified();
    }

    private void verifyPrefix() {
        if (!proveAgain()) {
            return;
        }
        while (certificates.first() <= linkedEnd() && certificates.first() < target.sequence()) {
            long sequence = certificates.first();
            Map<Integer, CheckpointCertificate> shown = certificates.poll();
            if (sequence <= verifiedEnd.sequence()) {
                continue;
            }
            Optional<CheckpointCertificate> valid = firstValid(shown);
            if (valid.isPresent()) {
                if (!prove(sequence, valid.get().chainHash())) {
                    return;
                }
                certificates.use(valid.get(), verifiedEnd.sequence());
            }
        }
        if (verifiedEnd.sequence() < target.sequence() && target.sequence() <= linkedEnd()) {
            prove(target.sequence(), target.chainHash());
        }
        if (verifiedEnd.sequence() == target.sequence()) {
            finish();
        }
    }

    private Optional<CheckpointCertificate> firstValid(Map<Integer, CheckpointCertificate> shown) {
        for (Map.Entry<Integer, CheckpointCertificate> each : shown.entrySet()) {
            if (checker.isValid(each.getValue())) {
                return Optional.of(each.getValue());
            }
            onForged(each.getKey(), each.getValue().sequence());
        }
        return Optional.empty();
    }

    /** Each costs the verification of its signatures. One may be of nodes that this one does not know yet. */
    private void onForged(int peer, long sequence) {
        events.certificateRefused(peer, sequence);
        int count = certificates.onForged(peer);
        if (count >= FORGED_MAX) {
            peers.refuse(peer, sequence, count + " certificates without a quorum");
        }
    }

    /** Accepts blocks that were proven before and have come again; returns false if others have come. */
    private boolean proveAgain() {
        Map.Entry<Long, Digest> known = unverified.known(verifiedEnd.sequence(), linkedEnd());
        if (known != null && !prove(known.getKey(), known.getValue())) {
            return false;
        }
        certificates.useUpTo(verifiedEnd.sequence());
        return true;
    }

    /** Returns whether the chain leads to the block that a quorum signed; it is given up if it does not. */
    private boolean prove(long sequence, Digest signed) {
        int count = (int) (sequence - verifiedEnd.sequence());
        if (!unverified.chain().get(count - 1).hash().equals(signed)) {
            events.transferBroken("chain contradicts the certificate of block " + sequence);
            giveUpChain();
            return false;
        }
        accept(count);
        return true;
    }

    /** Takes the blocks that are held; the others are asked for again, and those that are linked to them. */
    private void accept(int count) {
        boolean isCut = unverified.isCut();
        List<DecodedBlock> held = unverified.take(verifiedEnd.sequence() + 1, count);
        verifiedEnd = LastBlock.of(held.getLast().block());
        membership.prove(verifiedEnd.sequence());
        for (DecodedBlock block : held) {
            peers.onProven(block.header().sequence(), block.hash());
            verifiedBytes += LinkedBlocks.heldBytes(block);
            verified.add(block);
        }
        if (isCut) {
            dropUnverified();
        }
    }

    private void finish() {
        events.transferReached(target.sequence());
        reached = target;
        target = null;
        peers.clear();
        certificates.forgetForged();
        dropUnverified();
        unverified.clear();
    }

    /**
     * Ends the transfer at a block that was polled, if its target lies beyond.
     *
     * @param sequence of the block polled last
     */
    public void stopAfter(long sequence) {
        boolean isBeyond = target != null || reached != null && reached.sequence() > sequence;
        if (isBeyond) {
            target = null;
            reached = null;
            verified.clear();
            verifiedBytes = 0;
            certificates.stopAfter(sequence);
            dropUnverified();
            unverified.clear();
        }
    }

    /** Returns whether a quorum of nodes has signed a certificate. */
    public boolean proves(CheckpointCertificate certificate) {
        return checker.isValid(certificate);
    }

    private void dropUnverified() {
        unverified.drop();
        ahead.clear();
        checking.clear();
        waiting.clear();
        membership.drop(verifiedEnd);
        certificates.clear();
        inFlight.clear();
    }

    /** The first range that is missing is asked for however much lies ahead of it: nothing else makes room. */
    private void request(long nowNs) {
        peers.choose(requests.connected());
        long from = linkedEnd() + 1;
        while (!peers.isEmpty()
                && inFlight.size() < REQUESTS_IN_FLIGHT_MAX
                && (from == linkedEnd() + 1 || ahead.size() + checking.size() < ANSWERS_AHEAD_MAX)
                && hasRoom(from)
                && from <= target.sequence()) {
            int count = countFrom(from);
            ReceivedBlocks here = checking.get(from);
            if (here == null && !inFlight.containsKey(from) && !ahead.containsKey(from)) {
                int peer = peers.next(from - verifiedEnd.sequence());
                inFlight.put(from, new Request(peer, count, nowNs + ANSWER_TIMEOUT_NS));
                requests.requestBlocks(peer, from, count);
            }
            if (here != null) {
                from += here.blocks().size();
            } else {
                from += ahead.containsKey(from) ? ahead.get(from).blocks().size() : count;
            }
        }
    }

    /** Of large blocks more may lie between two certificates than is held: those that follow prove them. */
    private boolean hasRoom(long from) {
        return unverified.heldBytes() + verifiedBytes < limits.heldBytesMax()
                || verified.isEmpty() && from == linkedEnd() + 1;
    }

    /** Ranges end at checkpoints, so that the answer's certificate covers its last block. */
    private int countFrom(long from) {
        long end = (from + BLOCKS_PER_REQUEST - 1) / checkpointInterval * checkpointInterval;
        long last = Math.min(end < from ? from + checkpointInterval - 1 : end, target.sequence());
        return (int) (last - from + 1);
    }

    private long linkedEnd() {
        return verifiedEnd.sequence() + unverified.chain().size();
    }

    /** Returns the next block that is proven, in order; null when there is none. */
    public DecodedBlock pollVerified() {
        DecodedBlock block = verified.poll();
        verifiedBytes -= block == null ? 0 : LinkedBlocks.heldBytes(block);
        return block;
    }

    /** Returns the certificates that proved blocks since the last call, in order. */
    public List<CheckpointCertificate> takeCertificates() {
        return certificates.takeUsed();
    }

    /** Returns the target once all its blocks have been polled; null before. */
    public StableCertificate pollReached() {
        StableCertificate result = reached;
        reached = null;
        return result;
    }
}
