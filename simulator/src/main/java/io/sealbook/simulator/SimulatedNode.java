package io.sealbook.simulator;

import io.sealbook.pbft.DropReason;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.InvariantViolation;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.Proposal;
import io.sealbook.pbft.ProposedBatch;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.StableCertificate;
import io.sealbook.pbft.Timer;
import io.sealbook.pbft.message.Message;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The shell around one real {@link Replica}: payloads, replica log, archive, engine and timers, on virtual time.
 * Carries out the outputs of a duty cycle in the order that the contract states, and may crash between any two of them.
 */
final class SimulatedNode {
    private static final long MS = 1_000_000L;
    private static final long EXECUTION_MAX_NS = 3 * MS;

    final int id;
    final Fault fault;
    private final Simulation simulation;
    private final ReplicaConfig config;
    private final SplittableRandom random;
    private final Adversary adversary;
    private final long clockSkewNs;

    // What survives a crash.
    private List<ReplicaRecord> records = new ArrayList<>();
    private final List<Proposal> archive = new ArrayList<>();
    private final List<Digest> chainHashes = new ArrayList<>();
    private final Set<Digest> archived = new HashSet<>();

    // What does not.
    private Replica replica;
    private boolean isUp;
    private int life;
    private final Map<Digest, Batch> payloads = new HashMap<>();
    private final long[] timerStarts = new long[Timer.values().length];
    private final List<Output> outputs = new ArrayList<>();
    private final List<Digest> results = new ArrayList<>();
    private final Set<Digest> executed = new HashSet<>();
    private boolean isExecuting;
    private StableCertificate target;

    SimulatedNode(Simulation simulation, int id, Fault fault, ReplicaConfig config, SplittableRandom random) {
        this.simulation = simulation;
        this.id = id;
        this.fault = fault;
        this.config = config;
        this.random = random;
        clockSkewNs = random.nextLong(-500 * MS, 500 * MS);
        adversary = new Adversary(
                fault,
                id,
                config.chainId(),
                random.split(),
                simulation.scenario().chaosNs());
    }

    boolean isCorrect() {
        return fault == Fault.NONE;
    }

    boolean isUp() {
        return isUp;
    }

    Replica replica() {
        return replica;
    }

    long height() {
        return archive.size();
    }

    Digest resultAt(long sequence) {
        return results.size() < sequence ? null : results.get((int) sequence - 1);
    }

    // Life and death.

    void start() {
        isUp = true;
        life++;
        replica = simulation.newReplica(config, id);
        if (!records.isEmpty() || !archive.isEmpty()) {
            replica.restore(List.copyOf(records), archive.size(), this::chainHash);
        }
        for (Proposal proposal : archive) {
            step(new Input.BlockTransferred(proposal.sequence(), proposal.digest(), batchIds(proposal)), false);
        }
        step(null, false);
        scheduleExecution();
    }

    private void crash() {
        simulation.trace(this, "crashes");
        isUp = false;
        life++;
        outputs.clear();
        results.clear();
        executed.clear();
        isExecuting = false;
        target = null;
        if (simulation.scenario().isDisk() && random.nextInt(3) == 0) {
            // The archive is synced before receipts, not before deliveries: its tail may be lost with the power.
            for (int lost = random.nextInt(3); lost > 0 && !archive.isEmpty(); lost--) {
                archived.removeAll(batchIds(archive.removeLast()));
                chainHashes.removeLast();
            }
        }
        records.removeIf(simulation::forgetsAfterCrash);
        // The payloads of archived blocks are in the archive; those of others are in memory, or spooled to a disk.
        if (random.nextBoolean()) {
            payloads.keySet().retainAll(archived);
        }
        simulation.onCrash(this);
    }

    private static List<Digest> batchIds(Proposal proposal) {
        return proposal.batches().stream().map(ProposedBatch::batchId).toList();
    }

    private Digest chainHash(long sequence) {
        return sequence == 0 ? Digest.ZERO : chainHashes.get((int) sequence - 1);
    }

    // Inputs.

    void onMessage(Message message, boolean isGenuine) {
        if (isGenuine) {
            step(new Input.Received(message), true);
        }
    }

    void onPayload(Batch batch) {
        if (!isUp) {
            return;
        }
        payloads.put(batch.batchId(), batch);
        step(new Input.BatchAvailable(batch.batchId(), batch.client(), clockNs(), batch.validUntilBlock()), true);
    }

    /** A client hands in a batch: it is spread, then made available. */
    void onSubmitted(Batch batch) {
        if (!isUp) {
            return;
        }
        simulation.spread(this, batch);
        onPayload(batch);
    }

    void onPayloadRequest(SimulatedNode from, List<Digest> batchIds) {
        for (Digest batchId : batchIds) {
            Batch batch = isUp ? payloads.get(batchId) : null;
            if (batch != null) {
                simulation.sendPayload(this, from.id, batch);
            }
        }
    }

    private long clockNs() {
        return simulation.nowNs() + clockSkewNs + Simulation.EPOCH_NS;
    }

    private void step(Input input, boolean mayCrash) {
        if (!isUp) {
            return;
        }
        try {
            replica.step(new Input.Clock(clockNs()), outputs);
            if (input == null) {
                replica.start(outputs);
            } else {
                replica.step(input, outputs);
            }
            replica.step(new Input.Clock(clockNs()), outputs);
        } catch (InvariantViolation e) {
            if (isCorrect()) {
                throw new SimulationFailure("correct replica stopped itself: " + e.getMessage(), e);
            }
            isUp = false;
            return;
        }
        if (isCorrect()) {
            simulation.checker().onEntryCount(id, replica.entryCount(), entryBound());
        }
        if (!outputs.isEmpty()) {
            carryOut(mayCrash);
        }
    }

    private int entryBound() {
        int perView = config.logWindow() * config.blockMaxBatches();
        return config.logWindow() * 4
                + config.pendingBatchesMax() * 2
                + config.deliveredBatchesMax()
                + perView
                + 2 * config.logWindow() * config.replicaCount()
                + 512;
    }

    // Outputs.

    private void carryOut(boolean mayCrash) {
        List<Output> cycle = inOrder(outputs);
        outputs.clear();
        int boundary = mayCrash && isCorrect() && simulation.isCrashDue(random)
                ? random.nextInt(cycle.size() + 1)
                : Integer.MAX_VALUE;
        int synced = 0;
        List<ReplicaRecord> unsynced = new ArrayList<>();
        for (int i = 0; i < cycle.size(); i++) {
            Output output = cycle.get(i);
            if (i == boundary) {
                if (!simulation.scenario().isDisk()) {
                    remember(unsynced);
                }
                crash();
                return;
            }
            if (output instanceof Output.Persist persist) {
                unsynced.add(persist.record());
                continue;
            }
            if (synced++ == 0) {
                remember(unsynced);
            }
            simulation.trace(this, output);
            carryOut(output);
        }
        remember(unsynced);
        if (boundary == cycle.size()) {
            crash();
        }
    }

    private void remember(List<ReplicaRecord> unsynced) {
        for (ReplicaRecord record : unsynced) {
            if (simulation.forgets(this, record)) {
                continue;
            }
            records.add(record);
            if (isCorrect()) {
                simulation.checker().onDurable(id, record);
            }
        }
        unsynced.clear();
    }

    private static List<Output> inOrder(List<Output> outputs) {
        List<Output> ordered = new ArrayList<>(outputs.size());
        for (int phase = 0; phase < 4; phase++) {
            for (Output output : outputs) {
                if (phaseOf(output) == phase) {
                    ordered.add(output);
                }
            }
        }
        return ordered;
    }

    private static int phaseOf(Output output) {
        return switch (output) {
            case Output.Persist persist -> 0;
            case Output.Send send -> 1;
            case Output.Broadcast broadcast -> 1;
            case Output.Deliver deliver -> 2;
            default -> 3;
        };
    }

    private void carryOut(Output output) {
        switch (output) {
            case Output.Persist persist -> throw new IllegalStateException("persisted before: " + persist);
            case Output.Send send -> send(send.to(), send.message());
            case Output.Broadcast broadcast -> {
                for (int to = 0; to < config.replicaCount(); to++) {
                    if (to != id) {
                        send(to, broadcast.message());
                    }
                }
            }
            case Output.Deliver deliver -> deliver(deliver.proposal());
            case Output.StartTimer start -> startTimer(start.timer(), start.delayNs());
            case Output.StopTimer stop -> timerStarts[stop.timer().ordinal()]++;
            case Output.Fetch fetch -> fetch(fetch);
            case Output.TransferState transfer -> {
                target = transfer.target();
                transferState();
            }
            case Output.StableCheckpoint stable -> truncate(stable.certificate().sequence());
            case Output.Drop drop -> {
                if (drop.reason() != DropReason.DUPLICATE) {
                    payloads.remove(drop.batchId());
                }
            }
            case Output.ViewEntered entered -> simulation.onViewEntered(this, entered.view());
            case Output.Isolated isolated -> {
                if (isCorrect()) {
                    throw new SimulationFailure("correct replica " + id + " isolates itself: " + isolated);
                }
            }
            case Output.Ignored ignored -> simulation.onIgnored(ignored.reason());
        }
    }

    private void fetch(Output.Fetch fetch) {
        simulation.requestPayloads(this, fetch.holders().getFirst(), fetch.batchIds());
        for (Digest batchId : fetch.batchIds()) {
            if (simulation.claimsToHold(batchId)) {
                simulation.after(
                        MS, () -> step(new Input.BatchAvailable(batchId, 0, clockNs(), Long.MAX_VALUE), false));
            }
        }
    }

    private void send(int to, Message message) {
        Message said = adversary.rewrite(message, to, simulation.nowNs());
        if (said == null) {
            return;
        }
        if (isCorrect()) {
            simulation.checker().onSaid(id, said);
        }
        simulation.send(this, to, said);
    }

    private void truncate(long stable) {
        List<ReplicaRecord> kept = new ArrayList<>();
        ReplicaRecord view = null;
        ReplicaRecord certificate = null;
        for (ReplicaRecord record : records) {
            switch (record) {
                case ReplicaRecord.ViewLeft left -> view = left;
                case ReplicaRecord.ViewEntered entered -> view = entered;
                case ReplicaRecord.Stable made -> certificate = made;
                default -> {}
            }
        }
        for (ReplicaRecord record : records) {
            boolean isSuperseded = record.sequence() == ReplicaRecord.NO_SEQUENCE
                    ? record instanceof ReplicaRecord.Stable && record != certificate
                    : record.sequence() <= stable;
            if (!isSuperseded) {
                kept.add(record);
            }
        }
        // Earlier views stay until the records made in them are cut: a log need not look for the last one.
        records = kept.size() > 4_096 && view != null ? new ArrayList<>(List.of(view, certificate)) : kept;
    }

    private void startTimer(Timer timer, long delayNs) {
        long start = ++timerStarts[timer.ordinal()];
        int ofLife = life;
        simulation.after(delayNs, () -> {
            if (life == ofLife && timerStarts[timer.ordinal()] == start) {
                step(new Input.TimerFired(timer), true);
            }
        });
    }

    // Archive, engine and state transfer.

    private void deliver(Proposal proposal) {
        if (isCorrect()) {
            simulation.checker().onDelivered(id, archive.size() + 1L, proposal);
            for (Digest batchId : batchIds(proposal)) {
                if (!payloads.containsKey(batchId)) {
                    simulation.checker().onPayloadMissing(id, proposal, batchId);
                }
            }
        }
        append(proposal);
        scheduleExecution();
    }

    private void append(Proposal proposal) {
        chainHashes.add(Digest.sha256(
                chainHash(archive.size()).bytes(), proposal.digest().bytes()));
        archive.add(proposal);
        archived.addAll(batchIds(proposal));
    }

    boolean hasArchived(Digest batchId) {
        return archived.contains(batchId);
    }

    private void scheduleExecution() {
        if (isExecuting || results.size() == archive.size()) {
            return;
        }
        isExecuting = true;
        int ofLife = life;
        simulation.after(random.nextLong(EXECUTION_MAX_NS), () -> {
            if (life == ofLife) {
                isExecuting = false;
                execute();
                if (life == ofLife) {
                    scheduleExecution();
                }
            }
        });
    }

    private void execute() {
        int index = results.size();
        Proposal proposal = archive.get(index);
        List<byte[]> effects = new ArrayList<>();
        effects.add(index == 0 ? Digest.ZERO.bytes() : results.get(index - 1).bytes());
        for (Digest batchId : batchIds(proposal)) {
            if (executed.add(batchId)) {
                effects.add(batchId.bytes());
            }
        }
        Digest result = Digest.sha256(effects.toArray(byte[][]::new));
        results.add(result);
        if (isCorrect()) {
            simulation.checker().onExecuted(id, index + 1L, result);
        }
        step(new Input.Executed(index + 1L, chainHash(index + 1L), result), true);
    }

    private void transferState() {
        if (target == null) {
            return;
        }
        int peer = random.nextInt(config.replicaCount());
        simulation.requestBlocks(this, peer, archive.size() + 1L, target.sequence());
        int ofLife = life;
        simulation.after(200 * MS, () -> {
            if (life == ofLife) {
                transferState();
            }
        });
    }

    void onBlockRequest(SimulatedNode from, long first, long last) {
        if (isUp && last <= archive.size() && first <= last) {
            simulation.sendBlocks(
                    this,
                    from,
                    first,
                    List.copyOf(archive.subList((int) first - 1, (int) last)),
                    payloadsOf(first, last));
        }
    }

    private List<Batch> payloadsOf(long first, long last) {
        List<Batch> batches = new ArrayList<>();
        for (Proposal proposal : archive.subList((int) first - 1, (int) last)) {
            for (Digest batchId : batchIds(proposal)) {
                batches.add(payloads.get(batchId));
            }
        }
        return batches;
    }

    void onBlocks(long first, List<Proposal> blocks, List<Batch> batches) {
        if (!isUp || target == null || first != archive.size() + 1L || first + blocks.size() - 1 != target.sequence()) {
            return;
        }
        Digest hash = chainHash(archive.size());
        for (Proposal block : blocks) {
            hash = Digest.sha256(hash.bytes(), block.digest().bytes());
        }
        if (!hash.equals(target.chainHash())) {
            return;
        }
        StableCertificate reached = target;
        target = null;
        int ofLife = life;
        for (Batch batch : batches) {
            if (batch != null) {
                payloads.put(batch.batchId(), batch);
            }
        }
        for (Proposal block : blocks) {
            if (isCorrect()) {
                simulation.checker().onDelivered(id, archive.size() + 1L, block);
            }
            append(block);
            step(new Input.BlockTransferred(block.sequence(), block.digest(), batchIds(block)), false);
        }
        scheduleExecution();
        if (life == ofLife) {
            step(new Input.StateTransferred(reached.sequence(), hash, reached), true);
        }
    }

    @Override
    public String toString() {
        return "replica " + id + (fault == Fault.NONE ? "" : " " + fault) + (isUp ? "" : " (down)") + ": view "
                + replica.view() + (replica.isViewActive() ? "" : " (changing)") + ", " + replica.state()
                + ", watermarks " + replica.lowWatermark() + ".." + replica.highWatermark() + ", delivered "
                + replica.lastDelivered() + ", executed " + results.size() + ", pending " + replica.pendingCount();
    }
}
