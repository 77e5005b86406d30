package io.sealbook.client.broker;

import io.sealbook.client.BatchProof;
import io.sealbook.client.BrokerClientException;
import io.sealbook.client.NoProofException;
import io.sealbook.client.Receipt;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.membership.MembershipWatch;
import io.sealbook.client.proof.ProofJudge;
import io.sealbook.client.proof.ProvenMembers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Asks nodes for proofs, one node after another, until one answers with a proof that holds or the time is over. What
 * nodes answer is judged on threads of gRPC, so that signatures do not delay the loop. Loop thread, but for
 * {@link #request}.
 */
final class ProofRequests {
    private static final long RETRY_NS = 250_000_000;
    /** With 10 s at first: 640 s. */
    private static final int DOUBLINGS_MAX = 6;

    private final ClientLoop loop;
    private final Executor completions;
    private final ProofJudge judge;
    private final Supplier<List<GatewayLink>> gateways;
    private final MembershipWatch membership;
    private final long firstTimeoutNs;
    private final Set<CompletableFuture<BatchProof>> open = new HashSet<>();
    private volatile BrokerClientException end;

    /**
     * @param loop on which links run
     * @param completions completes results
     * @param judge of proofs
     * @param gateways links to the present nodes
     * @param membership proves whose signatures count
     * @param firstTimeout of a node, until each was late once; above 0
     */
    ProofRequests(
            ClientLoop loop,
            Executor completions,
            ProofJudge judge,
            Supplier<List<GatewayLink>> gateways,
            MembershipWatch membership,
            Duration firstTimeout) {
        this.loop = loop;
        this.completions = completions;
        this.judge = judge;
        this.gateways = gateways;
        this.membership = membership;
        this.firstTimeoutNs = firstTimeout.toNanos();
    }

    /** One proof that is wanted. */
    private static final class Wanted {
        final Receipt receipt;
        final long deadlineNs;
        final CompletableFuture<BatchProof> result = new CompletableFuture<>();
        final Map<Integer, String> answers = new TreeMap<>();
        int turn;
        /** Nodes that did not answer in time. */
        int lateCount;

        Wanted(Receipt receipt, long deadlineNs) {
            this.receipt = receipt;
            this.deadlineNs = deadlineNs;
        }
    }

    /**
     * Asks for a proof; any thread.
     *
     * @param receipt of the batch
     * @param limit after which no further node is asked
     */
    CompletableFuture<BatchProof> request(Receipt receipt, Duration limit) {
        Wanted wanted = new Wanted(receipt, System.nanoTime() + limit.toNanos());
        loop.execute(() -> {
            open.add(wanted.result);
            if (end != null) {
                fail(wanted.result, end);
                return;
            }
            ask(wanted);
        });
        if (end != null) {
            // The loop may have stopped before it took the request.
            wanted.result.completeExceptionally(end);
        }
        return wanted.result;
    }

    private void ask(Wanted wanted) {
        if (!open.contains(wanted.result)) {
            return;
        }
        if (wanted.result.isDone()) {
            open.remove(wanted.result);
            return;
        }
        long leftNs = wanted.deadlineNs - System.nanoTime();
        if (leftNs <= 0) {
            fail(
                    wanted.result,
                    new NoProofException("no proof of batch " + wanted.receipt.batchIndex() + " of block "
                            + wanted.receipt.blockSequence() + ": " + wanted.answers));
            return;
        }
        List<GatewayLink> links = gateways.get();
        GatewayLink link = links.get(wanted.turn++ % links.size());
        Optional<ProvenMembers> members = membership.proven();
        if (members.isEmpty()) {
            membership.prove(link);
            failed(wanted, link.nodeId(), "asked for a proof of the last change of the configuration");
            return;
        }
        long timeoutNs = timeoutNs(wanted, links.size(), leftNs);
        long askedNs = System.nanoTime();
        link.askProof(
                wanted.receipt.batchId(),
                wanted.receipt.blockSequence(),
                timeoutNs,
                proof -> judge(wanted, link.nodeId(), proof, members.get()),
                fact -> {
                    if (System.nanoTime() - askedNs >= timeoutNs) {
                        loop.execute(() -> wanted.lateCount++);
                    }
                    failed(wanted, link.nodeId(), fact);
                });
    }

    /** Returns the time that a node has: longer where each was late before, and not all that is left. */
    private long timeoutNs(Wanted wanted, int nodeCount, long leftNs) {
        int doublings = Math.min(wanted.lateCount / nodeCount, DOUBLINGS_MAX);
        return Math.min(firstTimeoutNs << doublings, Math.max(leftNs / 2, RETRY_NS));
    }

    private void judge(Wanted wanted, int nodeId, byte[] proof, ProvenMembers members) {
        try {
            BatchProof held = judge.judge(proof, wanted.receipt, members);
            loop.execute(() -> end(wanted.result, () -> wanted.result.complete(held)));
        } catch (IllegalArgumentException e) {
            failed(wanted, nodeId, e.getMessage());
        }
    }

    private void failed(Wanted wanted, int nodeId, String fact) {
        loop.execute(() -> {
            wanted.answers.put(nodeId, fact);
            loop.schedule(RETRY_NS, () -> ask(wanted));
        });
    }

    /** Ends what is open and what comes later. */
    void close(BrokerClientException cause) {
        end = cause;
        List.copyOf(open).forEach(result -> fail(result, cause));
    }

    private void fail(CompletableFuture<BatchProof> result, BrokerClientException cause) {
        end(result, () -> result.completeExceptionally(cause));
    }

    private void end(CompletableFuture<BatchProof> result, Runnable completion) {
        if (open.remove(result)) {
            completions.execute(completion);
        }
    }
}
