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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Fetches the blocks between this node's last one and a certificate's. A state machine on the committer's thread.
 *
 * <p>Ranges are asked of connected peers in rotation, several at a time. Of an answer, batches and signatures are
 * checked first, on other threads, by the membership that follows from the blocks before it; one that is not right is
 * discarded, and the range asked of another peer. What is right is linked to a chain in memory; a prefix of it is
 * verified when a certificate covers its last block. A chain that contradicts a certificate is discarded whole.
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

    private static final long TICK_NS = 100_000_000L;
    private static final long HELD_BYTES_MAX = 256L << 20;

    private final BlockRequests requests;
    private final CertificateChecker checker;
    private final BlockChecks checks;
    private final int checkpointInterval;
    private final NodeEvents events;

    private StableCertificate target;
    private StableCertificate reached;
    private LastBlock verifiedEnd;
    /** Linked to verifiedEnd, not yet covered by a certificate. */
    private final ArrayList<DecodedBlock> unverified = new ArrayList<>();

    private long unverifiedBytes;
    /** Proven, to be polled. */
    private final ArrayDeque<DecodedBlock> verified = new ArrayDeque<>();

    private long verifiedBytes;
    /** Of the blocks that are proven or linked. */
    private final LinkedMembership membership = new LinkedMembership();
    /** Answers whose batches and signatures are being checked, by first sequence. */
    private final TreeMap<Long, ReceivedBlocks> checking = new TreeMap<>();
    /** Those of them whose check has not begun: it needs the membership of blocks before them. */
    private final TreeMap<Long, ReceivedBlocks> waiting = new TreeMap<>();
    /** Peers that sent something wrong in this transfer; asked only if there is no other. */
    private final Set<Integer> suspects = new HashSet<>();
    /** Peers that have not answered their last request in time; asked only if all others are such, too. */
    private final Set<Integer> silent = new HashSet<>();
    /** Answers ahead of the chain, by first sequence. */
    private final TreeMap<Long, List<DecodedBlock>> ahead = new TreeMap<>();

    private final TreeMap<Long, CheckpointCertificate> certificates = new TreeMap<>();
    private final List<CheckpointCertificate> used = new ArrayList<>();
    private final TreeMap<Long, Request> inFlight = new TreeMap<>();
    private int nextPeer;

    private record Request(int peer, int count, long deadlineNs) {}

    /**
     * @param requests asks peers for blocks
     * @param checker judges the certificates that come with them
     * @param checks checks batches and signatures elsewhere
     * @param checkpointInterval blocks between checkpoints, 1 or more
     * @param events counted and logged
     */
    public StateTransfer(
            BlockRequests requests,
            CertificateChecker checker,
            BlockChecks checks,
            int checkpointInterval,
            NodeEvents events) {
        this.requests = requests;
        this.checker = checker;
        this.checks = checks;
        this.checkpointInterval = checkpointInterval;
        this.events = events;
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
                silent.add(request.peer());
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
        silent.remove(source);
        List<Block> blocks = new ArrayList<>(bytes.size());
        try {
            for (byte[] block : bytes.subList(0, Math.min(bytes.size(), request.count()))) {
                blocks.add(expected(from + blocks.size(), Block.wrap(block)));
            }
            if (certificate != null) {
                CheckpointCertificate decoded = CheckpointCertificate.decode(certificate);
                certificates.putIfAbsent(decoded.sequence(), decoded);
            }
        } catch (IllegalArgumentException e) {
            refuse(source, from, e.getMessage());
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
            ahead.put(received.from(), checked.blocks());
            advance();
            beginChecks();
        } else {
            refuse(received.source(), received.from(), checked.fault());
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
            BlockHeader first = received.blocks().get(0).header();
            if (first.sequence() == linkedEnd() + 1 && !links(first)) {
                breakChain(first);
                return;
            }
            Optional<Membership> inEffect = membership.inEffect(first);
            if (inEffect.isPresent() && waiting.remove(received.from(), received)) {
                checks.check(received, inEffect.get());
            }
        }
    }

    private void refuse(int source, long from, String fault) {
        suspects.add(source);
        events.transferRefused(source, from, fault);
    }

    /** Links what has arrived, verifies what a certificate covers. */
    private void advance() {
        while (!ahead.isEmpty() && ahead.firstKey() <= linkedEnd() + 1) {
            List<DecodedBlock> blocks = ahead.pollFirstEntry().getValue();
            for (DecodedBlock block : blocks) {
                if (block.header().sequence() <= linkedEnd()) {
                    continue;
                }
                if (!links(block.header())) {
                    breakChain(block.header());
                    return;
                }
                unverified.add(block);
                membership.link(block.block());
                unverifiedBytes += block.heldBytes();
            }
            verifyPrefix();
        }
    }

    private boolean links(BlockHeader next) {
        Digest end = unverified.isEmpty()
                ? verifiedEnd.hash()
                : unverified.get(unverified.size() - 1).hash();
        return next.sequence() == linkedEnd() + 1 && next.previousHash().equals(end);
    }

    private void breakChain(BlockHeader next) {
        events.transferBroken("block " + next.sequence() + " does not link to the chain");
        dropUnverified();
    }

    private void verifyPrefix() {
        if (target.sequence() <= linkedEnd()) {
            certificates.put(target.sequence(), null);
        }
        while (!unverified.isEmpty() && !certificates.isEmpty() && certificates.firstKey() <= linkedEnd()) {
            long sequence = certificates.firstKey();
            CheckpointCertificate certificate = certificates.pollFirstEntry().getValue();
            int count = (int) (sequence - verifiedEnd.sequence());
            if (count < 1) {
                continue;
            }
            boolean isTarget = sequence == target.sequence();
            if (!isTarget && !checker.isValid(certificate)) {
                events.transferBroken("certificate of block " + sequence + " has no quorum");
                continue;
            }
            Digest expected = isTarget ? target.chainHash() : certificate.chainHash();
            if (!unverified.get(count - 1).hash().equals(expected)) {
                events.transferBroken("chain contradicts the certificate of block " + sequence);
                dropUnverified();
                return;
            }
            accept(count);
            if (isTarget) {
                finish();
                return;
            }
            used.add(certificate);
        }
    }

    private void accept(int count) {
        List<DecodedBlock> prefix = unverified.subList(0, count);
        DecodedBlock last = prefix.get(count - 1);
        verifiedEnd = LastBlock.of(last.block());
        membership.prove(verifiedEnd.sequence());
        for (DecodedBlock block : prefix) {
            unverifiedBytes -= block.heldBytes();
            verifiedBytes += block.heldBytes();
            verified.add(block);
        }
        prefix.clear();
    }

    private void finish() {
        events.transferReached(target.sequence());
        reached = target;
        target = null;
        suspects.clear();
        silent.clear();
        dropUnverified();
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
            used.removeIf(certificate -> certificate.sequence() > sequence);
            dropUnverified();
        }
    }

    /** Returns whether a quorum of nodes has signed a certificate. */
    public boolean proves(CheckpointCertificate certificate) {
        return checker.isValid(certificate);
    }

    private void dropUnverified() {
        unverified.clear();
        unverifiedBytes = 0;
        ahead.clear();
        checking.clear();
        waiting.clear();
        membership.drop(verifiedEnd);
        certificates.clear();
        inFlight.clear();
    }

    /** The first range that is missing is asked for however much lies ahead of it: nothing else makes room. */
    private void request(long nowNs) {
        List<Integer> peers = peers();
        long from = linkedEnd() + 1;
        while (!peers.isEmpty()
                && inFlight.size() < REQUESTS_IN_FLIGHT_MAX
                && (from == linkedEnd() + 1 || ahead.size() + checking.size() < ANSWERS_AHEAD_MAX)
                && unverifiedBytes + verifiedBytes < HELD_BYTES_MAX
                && from <= target.sequence()) {
            int count = countFrom(from);
            ReceivedBlocks here = checking.get(from);
            if (here == null && !inFlight.containsKey(from) && !ahead.containsKey(from)) {
                int peer = peers.get(Math.floorMod(nextPeer++, peers.size()));
                inFlight.put(from, new Request(peer, count, nowNs + ANSWER_TIMEOUT_NS));
                requests.requestBlocks(peer, from, count);
            }
            if (here != null) {
                from += here.blocks().size();
            } else {
                from += ahead.containsKey(from) ? ahead.get(from).size() : count;
            }
        }
    }

    /**
     * Returns the peers to ask: those that sent nothing wrong, or all if there are none of them. Of these, those that
     * answer in time, or all.
     */
    private List<Integer> peers() {
        Set<Integer> connected = requests.connected();
        List<Integer> trusted =
                connected.stream().filter(peer -> !suspects.contains(peer)).toList();
        List<Integer> asked = trusted.isEmpty() ? List.copyOf(connected) : trusted;
        if (silent.containsAll(asked)) {
            silent.clear();
        }
        return asked.stream().filter(peer -> !silent.contains(peer)).toList();
    }

    /** Ranges end at checkpoints, so that the answer's certificate covers its last block. */
    private int countFrom(long from) {
        long end = (from + BLOCKS_PER_REQUEST - 1) / checkpointInterval * checkpointInterval;
        long last = Math.min(end < from ? from + checkpointInterval - 1 : end, target.sequence());
        return (int) (last - from + 1);
    }

    private long linkedEnd() {
        return verifiedEnd.sequence() + unverified.size();
    }

    /** Returns the next block that is proven, in order; null when there is none. */
    public DecodedBlock pollVerified() {
        DecodedBlock block = verified.poll();
        verifiedBytes -= block == null ? 0 : block.heldBytes();
        return block;
    }

    /** Returns the certificates that proved blocks since the last call, in order. */
    public List<CheckpointCertificate> takeCertificates() {
        List<CheckpointCertificate> taken = List.copyOf(used);
        used.clear();
        return taken;
    }

    /** Returns the target once all its blocks have been polled; null before. */
    public StableCertificate pollReached() {
        StableCertificate result = reached;
        reached = null;
        return result;
    }
}
