package io.sealbook.node.repair;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveHealth;
import io.sealbook.archive.Block;
import io.sealbook.archive.CertificateGap;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.RepairAnswer;
import io.sealbook.node.port.RepairVerdict;
import io.sealbook.node.transfer.BlockRequests;
import io.sealbook.vocabulary.Digest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Fetches what is damaged in the archive from peers, one block at a time, and has it written in its place. A state
 * machine on the committer's thread.
 *
 * <p>A block is asked for once its hash is known here: a run of damaged blocks is repaired from its last one to its
 * first. What has another hash is refused at once; signatures are judged elsewhere. Certificates come with the answers
 * to requests for blocks, see {@link GapSearch}.
 *
 * <pre>
 *   IDLE ──damage──▶ ASKED ──answer──▶ JUDGED ──right──▶ written, IDLE
 *                     ▲ │ silence        │ wrong: another peer
 *                     └─┴────────────────┘
 * </pre>
 */
public class ArchiveRepair {
    private static final long ANSWER_TIMEOUT_NS = 3_000_000_000L;
    private static final long TICK_NS = 100_000_000L;
    /** After this what could not be repaired is tried again. */
    private static final long RETRY_NS = 60_000_000_000L;
    /** How many of the damaged blocks are looked at for one whose hash is known. */
    private static final int CANDIDATES_MAX = 64;

    private final ArchiveHealth health;
    private final BlockRequests requests;
    private final Consumer<RepairAnswer> judge;
    private final NodeEvents events;
    private final RepairPeers peers = new RepairPeers(RETRY_NS);
    /** Blocks and gaps that were reported. */
    private final Set<Object> reported = new HashSet<>();
    /** Blocks, and gaps by their first block, that cannot be repaired as things are; and when they are tried again. */
    private final Map<Long, Long> postponed = new HashMap<>();

    private final int witnessCount;
    /** Of damaged blocks, when they were reported last. */
    private long foundCount;

    private Request asked;
    private RepairAnswer judged;
    /** Of the gap that is being filled, null if none is. */
    private GapSearch search;

    private record Request(int peer, long sequence, boolean isForGap, long deadlineNs) {}

    /**
     * @param health of the node's archive
     * @param requests asks peers
     * @param judge has an answer judged elsewhere; the verdict comes to {@link #onJudged} later. Must not wait
     * @param witnessCount of peers that have shown all their certificates of a gap before it is closed: f + 1
     * @param events counted and logged
     */
    public ArchiveRepair(
            ArchiveHealth health,
            BlockRequests requests,
            Consumer<RepairAnswer> judge,
            int witnessCount,
            NodeEvents events) {
        this.witnessCount = witnessCount;
        this.health = health;
        this.requests = requests;
        this.judge = judge;
        this.events = events;
    }

    /** Returns whether something is damaged, so that {@link #onTick} must be called. */
    public boolean isRunning() {
        return asked != null
                || judged != null
                || health.damagedBlockCount() > 0
                || !health.certificateGaps().isEmpty();
    }

    /** Returns the interval in which {@link #onTick} must be called while something is damaged. */
    public long tickIntervalNs() {
        return TICK_NS;
    }

    /**
     * Asks for what is damaged, and again for what was not answered in time.
     *
     * @param nowNs monotonic clock
     */
    public void onTick(long nowNs) {
        if (asked != null && asked.deadlineNs - nowNs < 0) {
            peers.onSilence(asked.peer);
            if (asked.isForGap) {
                search.onSilence(asked.peer);
            }
            asked = null;
        }
        advance(nowNs);
    }

    private void advance(long nowNs) {
        if (asked != null || judged != null) {
            return;
        }
        postponed.values().removeIf(untilNs -> untilNs - nowNs <= 0);
        report();
        if (!askForBlock(nowNs)) {
            askForCertificate(nowNs);
        }
    }

    private void report() {
        if (health.foundBlockCount() != foundCount) {
            foundCount = health.foundBlockCount();
            List<Long> news =
                    health.damagedBlocks().stream().filter(reported::add).toList();
            if (!news.isEmpty()) {
                events.blocksDamaged(news);
            }
        }
        health.certificateGaps().stream()
                .filter(reported::add)
                .forEach(each -> events.certificatesDamaged(each.after(), each.before()));
    }

    private boolean askForBlock(long nowNs) {
        Optional<Long> next = health.damagedBefore(Long.MAX_VALUE);
        for (int looked = 0; next.isPresent() && looked < CANDIDATES_MAX; looked++) {
            long sequence = next.get();
            Optional<Integer> peer = postponed.containsKey(sequence)
                    ? Optional.empty()
                    : peers.peerFor(sequence, requests.connected(), nowNs);
            if (peer.isPresent() && health.expectedHash(sequence).isPresent()) {
                ask(peer.get(), sequence, false, nowNs);
                return true;
            }
            next = health.damagedBefore(sequence);
        }
        return false;
    }

    private void ask(int peer, long sequence, boolean isForGap, long nowNs) {
        asked = new Request(peer, sequence, isForGap, nowNs + ANSWER_TIMEOUT_NS);
        requests.requestBlocks(peer, sequence, 1);
    }

    private void askForCertificate(long nowNs) {
        if (!chooseGap()) {
            return;
        }
        Set<Integer> connected = requests.connected();
        Optional<Integer> peer = search.isFilled()
                ? Optional.empty()
                : peers.peerFor(search.gap().after() + 1, search.candidates(connected), nowNs);
        if (peer.isPresent()) {
            search.onAsked(peer.get());
            ask(peer.get(), search.from(peer.get()), true, nowNs);
        } else if (!connected.isEmpty() && search.isWitnessed()) {
            // A gap that nobody fills is one for good.
            closeGap(nowNs);
        } else if (!search.candidates(connected).isEmpty()) {
            // Those after it have their turn.
            postpone(search.gap().after() + 1, "all peers that may fill the gap sent something wrong", nowNs);
        }
    }

    /** Returns whether there is a gap to fill: the one begun, or else the first that is not postponed. */
    private boolean chooseGap() {
        List<CertificateGap> gaps = health.certificateGaps();
        if (search == null || !gaps.contains(search.gap()) || isPostponed(search.gap())) {
            search = gaps.stream()
                    .filter(each -> !isPostponed(each))
                    .findFirst()
                    .map(each -> new GapSearch(each, witnessCount))
                    .orElse(null);
        }
        return search != null;
    }

    private boolean isPostponed(CertificateGap each) {
        return postponed.containsKey(each.after() + 1);
    }

    /**
     * Takes an answer to a request of this repair.
     *
     * @param source member that sent it
     * @param from first sequence of its blocks
     * @param bytes its blocks
     * @param certificate the certificate that came with them; null if none did
     * @param nowNs monotonic clock
     * @return false if this repair has not asked for it
     */
    public boolean onBlocks(int source, long from, List<byte[]> bytes, byte[] certificate, long nowNs) {
        if (asked == null || asked.peer != source || asked.sequence != from) {
            return false;
        }
        boolean isForGap = asked.isForGap;
        asked = null;
        peers.onAnswer(source);
        try {
            if (isForGap) {
                onCertificate(source, from, certificate);
            } else {
                onBlock(source, from, bytes, nowNs);
            }
        } catch (IllegalArgumentException e) {
            if (isForGap) {
                refuseForGap(source, e.getMessage(), nowNs);
            } else {
                refuse(source, from, e.getMessage(), nowNs);
            }
        }
        advance(nowNs);
        return true;
    }

    private void onBlock(int source, long sequence, List<byte[]> bytes, long nowNs) {
        if (bytes.isEmpty()) {
            peers.onSilence(source);
            return;
        }
        Block block = Block.wrap(bytes.getFirst());
        Optional<Digest> expected = health.expectedHash(sequence);
        if (expected.isPresent() && !isOriginal(block, sequence, expected.get())) {
            refuse(source, sequence, "block " + sequence + " has not the hash that the chain names", nowNs);
            return;
        }
        beginJudging(RepairAnswer.of(source, block));
    }

    /**
     * Returns whether a peer's block is the one that was appended here.
     *
     * @param block that came
     * @param sequence that was asked for
     * @param expected hash that the chain names
     */
    protected boolean isOriginal(Block block, long sequence, Digest expected) {
        return block.header().sequence() == sequence && block.hash().equals(expected) && block.hasMerkleRoot();
    }

    private void onCertificate(int source, long from, byte[] bytes) {
        CheckpointCertificate certificate = bytes == null ? null : CheckpointCertificate.decode(bytes);
        if (certificate == null || !search.gap().contains(certificate.sequence())) {
            search.onNothing(source);
        } else if (certificate.sequence() < from) {
            throw new IllegalArgumentException(
                    "certificate " + certificate.sequence() + " came, one of block " + from + " or later was expected");
        } else if (!search.isKnown(source, certificate.sequence())) {
            beginJudging(RepairAnswer.of(source, certificate));
        }
    }

    private void beginJudging(RepairAnswer answer) {
        judged = answer;
        judge.accept(answer);
    }

    /**
     * Takes the verdict about an answer.
     *
     * @param verdict of the judge
     * @param nowNs monotonic clock
     */
    public void onJudged(RepairVerdict verdict, long nowNs) {
        if (verdict.answer() != judged) {
            return;
        }
        judged = null;
        int source = verdict.answer().source();
        Optional<Block> block = verdict.answer().block();
        if (block.isPresent()) {
            onJudgedBlock(verdict, source, block.get(), nowNs);
        } else if (verdict.isRight()) {
            search.add(source, verdict.answer().certificate().orElseThrow());
        } else if (verdict.isJudged()) {
            refuseForGap(source, verdict.fault(), nowNs);
        } else {
            postpone(search.gap().after() + 1, verdict.fault(), nowNs);
        }
        advance(nowNs);
    }

    private void onJudgedBlock(RepairVerdict verdict, int source, Block block, long nowNs) {
        long sequence = block.header().sequence();
        if (!verdict.isJudged()) {
            postpone(sequence, verdict.fault(), nowNs);
        } else if (!verdict.isRight()) {
            refuse(source, sequence, verdict.fault(), nowNs);
        } else {
            write(source, block, nowNs);
        }
    }

    private void write(int source, Block block, long nowNs) {
        long sequence = block.header().sequence();
        try {
            if (health.repair(block)) {
                peers.forget(sequence);
                postponed.clear();
                reported.remove(sequence);
                events.blockRepaired(sequence, source);
            } else {
                postpone(sequence, "its place in the segment is not known", nowNs);
            }
        } catch (ArchiveException e) {
            // Whatever fails at an old block: nothing that the node says depends on it.
            postpone(sequence, e.getMessage(), nowNs);
        }
    }

    private void postpone(long sequence, String why, long nowNs) {
        postponed.put(sequence, nowNs + RETRY_NS);
        events.repairPostponed(sequence, why);
    }

    private void refuse(int source, long sequence, String fault, long nowNs) {
        peers.refuse(sequence, source, nowNs);
        events.repairRefused(source, sequence, fault);
    }

    private void refuseForGap(int source, String fault, long nowNs) {
        search.onRefused();
        refuse(source, search.gap().after() + 1, fault, nowNs);
    }

    private void closeGap(long nowNs) {
        CertificateGap closed = search.gap();
        List<CheckpointCertificate> found = search.found();
        try {
            health.repair(closed, found);
        } catch (ArchiveException e) {
            postpone(closed.after() + 1, e.getMessage(), nowNs);
            return;
        }
        search = null;
        peers.forget(closed.after() + 1);
        reported.remove(closed);
        events.certificatesRepaired(closed.after(), closed.before(), found.size());
    }
}
