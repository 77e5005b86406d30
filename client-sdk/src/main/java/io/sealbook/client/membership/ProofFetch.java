package io.sealbook.client.membership;

import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.proof.MembershipJudge;
import io.sealbook.client.proof.ProvenMembers;
import io.sealbook.membership.UnknownProtocolVersionException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Fetches membership proofs from nodes while what they report is not proven: one node at a time, and another one after
 * a while of silence. No node is believed, a proof is judged on another thread. Loop thread only, but for
 * {@link #refusals}.
 */
final class ProofFetch {
    private static final Logger log = System.getLogger(ProofFetch.class.getName());
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * Useless proofs of a node in a row: a node may report any number, another one each time. Then it rests, or until
     * what is known advances.
     */
    private static final int USELESS_MAX = 5;

    /** With 10 s at first: 640 s. */
    private static final int DOUBLINGS_MAX = 6;

    private static final long REST_NS = TimeUnit.MINUTES.toNanos(1);

    private final ClientLoop loop;
    private final MembershipJudge judge;
    private final Optional<ProofFile> file;
    private final long firstTimeoutNs;
    private final Consumer<ProvenMembers> onProven;
    /** Nodes whose proof is under way or being judged. */
    private final Set<Integer> asked = new HashSet<>();

    private final Map<Integer, Integer> useless = new HashMap<>();
    /** How often each node was late, less how often it was not after that. */
    private final Map<Integer, Integer> late = new HashMap<>();

    private final Map<Integer, Long> uselessAtNs = new HashMap<>();
    private final Map<Integer, String> refusals = new ConcurrentSkipListMap<>();
    private ProvenMembers proven;
    private byte[] judged = {};
    private long askedNs = System.nanoTime() - PATIENCE_NS;

    /**
     * Asks nobody yet.
     *
     * @param loop on which everything here runs
     * @param judge of proofs
     * @param proven members so far
     * @param file in which each proof that leads further is kept, or none
     * @param firstTimeout of a node; twice as long each time it was late, because a proof grows with the chain
     * @param onProven gets the members of each proof that holds and leads further
     */
    ProofFetch(
            ClientLoop loop,
            MembershipJudge judge,
            ProvenMembers proven,
            Optional<ProofFile> file,
            Duration firstTimeout,
            Consumer<ProvenMembers> onProven) {
        this.loop = loop;
        this.judge = judge;
        this.proven = proven;
        this.file = file;
        this.firstTimeoutNs = firstTimeout.toNanos();
        this.onProven = onProven;
    }

    ProvenMembers proven() {
        return proven;
    }

    /** Returns for each node that sent a proof that does not hold the fact that speaks against it; any thread. */
    Map<Integer, String> refusals() {
        return new TreeMap<>(refusals);
    }

    /**
     * Transactions that f + 1 nodes have reported alike are to be proven, too: for proofs of batches, for the next
     * start, and so that no proof is taken later that contradicts them. A node may not have the certificate of their
     * block yet, and is asked again.
     *
     * @param link to a node
     * @param confirmed their number
     */
    void onConfirmed(GatewayLink link, long confirmed) {
        if (System.nanoTime() - askedNs >= PATIENCE_NS) {
            ask(link, confirmed, true);
        }
    }

    /**
     * A node reports transactions that f + 1 nodes have not reported alike.
     *
     * @param link to the node
     * @param reported their number
     */
    void onUnconfirmed(GatewayLink link, long reported) {
        if (asked.isEmpty() || System.nanoTime() - askedNs >= PATIENCE_NS) {
            ask(link, reported, false);
        }
    }

    private void ask(GatewayLink link, long number, boolean isConfirmed) {
        int nodeId = link.nodeId();
        if (Long.compareUnsigned(number, proven.number()) <= 0 || isResting(nodeId) || !asked.add(nodeId)) {
            return;
        }
        askedNs = System.nanoTime();
        long timeoutNs = firstTimeoutNs << Math.min(late.getOrDefault(nodeId, 0), DOUBLINGS_MAX);
        long startNs = askedNs;
        link.askMembershipProof(timeoutNs, proof -> loop.execute(() -> judge(nodeId, proof, isConfirmed)), fact -> {
            boolean isLate = System.nanoTime() - startNs >= timeoutNs;
            loop.execute(() -> onFailure(nodeId, fact, isLate));
        });
    }

    private boolean isResting(int nodeId) {
        return useless.getOrDefault(nodeId, 0) >= USELESS_MAX && System.nanoTime() - uselessAtNs.get(nodeId) < REST_NS;
    }

    private void judge(int nodeId, byte[] proof, boolean isConfirmed) {
        // The next proof is longer than this one: what was learnt is unlearnt step by step.
        late.computeIfPresent(nodeId, (node, times) -> times > 1 ? times - 1 : null);
        if (Arrays.equals(proof, judged)) {
            onNothingNew(nodeId, isConfirmed);
            return;
        }
        judged = proof;
        Thread thread = new Thread(() -> judgeNow(nodeId, proof, isConfirmed), "sealbook-membership-proof");
        thread.setDaemon(true);
        thread.start();
    }

    private void judgeNow(int nodeId, byte[] proof, boolean isConfirmed) {
        try {
            ProvenMembers members = judge.judge(proof);
            loop.execute(() -> take(nodeId, members, proof, isConfirmed));
        } catch (IllegalArgumentException | UnknownProtocolVersionException e) {
            loop.execute(() -> refuse(nodeId, e.getMessage()));
        }
    }

    private void take(int nodeId, ProvenMembers members, byte[] proof, boolean isConfirmed) {
        try {
            proven.requireSameChain(members);
        } catch (IllegalArgumentException e) {
            refuse(nodeId, e.getMessage());
            return;
        }
        if (Long.compareUnsigned(members.number(), proven.number()) <= 0) {
            onNothingNew(nodeId, isConfirmed);
            return;
        }
        asked.remove(nodeId);
        proven = members;
        onAdvance();
        file.ifPresent(kept -> kept.keep(members.number(), proof));
        onProven.accept(members);
    }

    /** Of what f + 1 nodes report alike an honest node may have no proof yet; of what it alone reports it should. */
    private void onNothingNew(int nodeId, boolean isConfirmed) {
        if (isConfirmed) {
            asked.remove(nodeId);
        } else {
            onUseless(nodeId);
        }
    }

    private void onUseless(int nodeId) {
        asked.remove(nodeId);
        useless.merge(nodeId, 1, Integer::sum);
        uselessAtNs.put(nodeId, System.nanoTime());
    }

    /** More is known than before: all nodes may be asked again. */
    void onAdvance() {
        useless.clear();
    }

    private void refuse(int nodeId, String fact) {
        onUseless(nodeId);
        refusals.put(nodeId, fact);
        log.log(Level.WARNING, "node {0}: membership proof refused: {1}", nodeId, fact);
    }

    private void onFailure(int nodeId, String fact, boolean isLate) {
        asked.remove(nodeId);
        if (isLate) {
            late.merge(nodeId, 1, Integer::sum);
        }
        log.log(Level.DEBUG, "node {0} sends no membership proof: {1}", nodeId, fact);
    }
}
