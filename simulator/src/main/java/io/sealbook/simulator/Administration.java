package io.sealbook.simulator;

import io.sealbook.crypto.Signers;
import io.sealbook.membership.ApprovedTerms;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.Verdict;
import io.sealbook.pbft.Quorum;
import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.AddNode;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.RemoveNode;
import io.sealbook.protocol.v1.ReplaceNode;
import io.sealbook.protocol.v1.RevokeKey;
import io.sealbook.protocol.v1.SetBrokerStatus;
import io.sealbook.protocol.v1.SetInstrumentStatus;
import io.sealbook.protocol.v1.SetParameters;
import io.sealbook.protocol.v1.SetQuota;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SessionKey;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The members' operators, in some of the runs: they add a broker with a key, which begins to trade at once wherever it
 * is known, then another key, and an instrument; they halt the instrument, revoke the first key and suspend the broker.
 * They replace a node, add nodes and remove them. Each transaction is proposed when the one before is in a block, some
 * of them twice.
 */
final class Administration {
    private static final int RUNS = 4;
    private static final int BATCHES_PER_KEY = 4;
    private static final int SECOND_KEY = 2;
    private static final int VALID_FOR_BLOCKS = 9_000;
    private static final int QUOTA = 100;
    private static final long RESUBMIT_NS = 300_000_000L;
    /** No correct node gives these to what is made here. */
    private static final Set<RefusalReason> IMPOSSIBLE = Set.of(
            RefusalReason.INVALID_TRANSACTION,
            RefusalReason.BAD_SIGNATURE,
            RefusalReason.MALFORMED,
            RefusalReason.UNKNOWN_SESSION,
            RefusalReason.BROKEN_CHAIN,
            RefusalReason.WRONG_CHAIN);

    private final Simulation simulation;
    private final Scenario scenario;
    private final Checker checker;
    private final SplittableRandom random;
    private final int newcomer;
    private final List<Runnable> steps = new ArrayList<>();
    /** What must be in blocks before the next step. */
    private final List<Batch> open = new ArrayList<>();
    /** What is handed in and may be refused for good. */
    private final List<Batch> racing = new ArrayList<>();

    /** Of the members' identities, among the toy keys. */
    private final List<Integer> keys = new ArrayList<>();
    /** The member whose machine is given up; it proposes nothing. */
    private int replaced = -1;

    private final Map<Integer, BatchPosition> next = new HashMap<>();
    /** What follows the last step, before the next one. */
    private Runnable sequel = () -> {};

    /** What the sequel waits for, beside the blocks. */
    private BooleanSupplier isSequelDue = () -> true;

    /** Nodes after the transactions so far. */
    private int nodeCount;

    private boolean hasChangedNodes;
    private boolean isSettled;

    private long number;
    private long serial;

    Administration(Simulation simulation, Checker checker) {
        this.simulation = simulation;
        this.scenario = simulation.scenario();
        this.checker = checker;
        this.random = new SplittableRandom(scenario.seed() ^ 0xad317L);
        this.newcomer = scenario.clientCount() + 1;
        this.serial = 1_000_000;
        if (random.nextInt(RUNS) == 0) {
            steps.add(() -> propose(quotaOfOther(), addBroker()));
            steps.add(() -> {
                propose(addKey());
                trade(SimulatedMarket.KEY_ID, open);
            });
            steps.add(() -> {
                propose(addInstrument());
                trade(SECOND_KEY, open);
            });
            steps.add(() -> propose(halt()));
            steps.add(() -> {
                propose(revokeKey());
                trade(SimulatedMarket.KEY_ID, racing);
            });
            steps.add(() -> {
                propose(suspend());
                trade(SECOND_KEY, racing);
            });
        }
        nodeCount = scenario.replicaCount();
        for (int i = 0; i < nodeCount; i++) {
            keys.add(i);
        }
        if (random.nextInt(RUNS) == 0) {
            steps.add(random.nextInt(steps.size() + 1), () -> propose(interval()));
        }
        if (random.nextInt(RUNS) == 0) {
            replaceANode();
        }
        changeTheNumberOfNodes(new SplittableRandom(scenario.seed() ^ 0x40de5L));
        if (!simulation.isAdministered()) {
            steps.clear();
        }
        isSettled = steps.isEmpty();
    }

    /**
     * Somewhere among the other steps: nodes are added, and the last ones of them removed again. The number of faulty
     * nodes stays that of the genesis file. A new machine is started before its transaction, or after it.
     */
    private void changeTheNumberOfNodes(SplittableRandom own) {
        if (own.nextInt(RUNS) != 0) {
            return;
        }
        int at = own.nextInt(steps.size() + 1);
        int added = own.nextInt(1, Simulation.ADDED_NODES_MAX + 1);
        for (int i = 0; i < added; i++) {
            boolean isEarly = own.nextBoolean();
            steps.add(at++, () -> addNode(isEarly, own.split()));
        }
        int removed = own.nextInt(added + 1);
        for (int i = 0; i < removed; i++) {
            at += own.nextInt(steps.size() + 1 - at);
            steps.add(at++, this::removeNode);
        }
    }

    private void addNode(boolean isEarly, SplittableRandom ofNode) {
        int id = nodeCount;
        int key = SimulatedMarket.keyOfReplacement(id);
        if (isEarly) {
            simulation.addMachine(id, key, ofNode);
        }
        propose(addition(id, key));
        then(() -> simulation.hasNodes(id + 1), () -> {
            nodeCount = id + 1;
            keys.add(key);
            if (!isEarly) {
                simulation.addMachine(id, key, ofNode);
            }
        });
    }

    private void removeNode() {
        int id = nodeCount - 1;
        propose(Change.newBuilder()
                .setRemoveNode(RemoveNode.newBuilder().setNodeId(id))
                .build());
        // Until its last epoch has ended the machine may be needed for a quorum.
        then(() -> simulation.hasNodes(id), () -> {
            nodeCount = id;
            keys.removeLast();
            simulation.removeMachine(id);
        });
    }

    private void then(BooleanSupplier isDue, Runnable next) {
        hasChangedNodes = true;
        isSequelDue = isDue;
        sequel = next;
    }

    /** Somewhere among the other steps: a member's machine is given up, and another one gets its place. */
    private void replaceANode() {
        int member = random.nextInt(scenario.replicaCount());
        if (scenario.faults()[member] == Fault.TWIN) {
            return;
        }
        replaced = member;
        int at = random.nextInt(steps.size() + 1);
        steps.add(at, () -> {
            propose(replacement(member));
            // Until its last epoch has ended the machine may be needed for a quorum.
            then(() -> simulation.hasReplaced(member), () -> {
                keys.set(member, SimulatedMarket.keyOfReplacement(member));
                simulation.machineOf(member).orElseThrow().replace(keys.get(member));
            });
        });
    }

    void begin() {
        if (!isDone()) {
            simulation.after(random.nextLong(scenario.chaosNs() / 2), this::goOn);
        }
    }

    private void goOn() {
        open.removeIf(batch -> checker.isDelivered(batch.batchId()) && checker.isAcknowledged(batch.batchId()));
        if (open.isEmpty() && isSequelDue.getAsBoolean()) {
            sequel.run();
            sequel = () -> {};
            isSequelDue = () -> true;
            isSettled = steps.isEmpty();
            if (!isSettled) {
                steps.removeFirst().run();
            }
        }
        open.forEach(this::submit);
        racing.forEach(this::submit);
        if (!isDone()) {
            simulation.after(RESUBMIT_NS, this::goOn);
        }
    }

    /** Returns whether all transactions, and what must follow them, are in blocks. */
    boolean isDone() {
        return isSettled;
    }

    private void submit(Batch batch) {
        SimulatedNode node = simulation.anyNodeOf(random);
        node.whileUp(life -> life.onSubmitted(batch, new Source(batch, node)));
    }

    // Transactions.

    /** At times a second member proposes the same; the later one of the two changes nothing. */
    private void propose(Change... changes) {
        number++;
        byte[] transaction = approved(AdministrativeTerms.newBuilder()
                .setChainId(SimulatedMarket.CHAIN_ID)
                .setNumber(number)
                .addAllChanges(List.of(changes))
                .build());
        int proposer = otherThanReplaced(random.nextInt(scenario.replicaCount()));
        open.add(batch(proposer, transaction));
        // Its approvals are refused at every door once the node is replaced: a second one might never come in.
        boolean changesNodes = changes[0].hasReplaceNode() || changes[0].hasAddNode() || changes[0].hasRemoveNode();
        if (!changesNodes && random.nextInt(3) == 0) {
            open.add(batch(otherThanReplaced((proposer + 1) % scenario.replicaCount()), transaction));
        }
    }

    private int otherThanReplaced(int member) {
        return member == replaced ? (member + 1) % scenario.replicaCount() : member;
    }

    private byte[] approved(AdministrativeTerms terms) {
        AdministrativeTransaction transaction = AdministrativeTransaction.newBuilder()
                .setTerms(terms.toByteString())
                .build();
        int first = random.nextInt(nodeCount);
        for (int i = 0; i < Quorum.of(nodeCount).size(); i++) {
            int node = (first + i) % nodeCount;
            transaction =
                    ApprovedTerms.approve(transaction, node, Signers.of(ToySignatures.signingKey(keys.get(node))));
        }
        return transaction.toByteArray();
    }

    private Batch batch(int proposer, byte[] transaction) {
        BatchPosition position = next.getOrDefault(proposer, BatchPosition.first(proposer));
        byte[] signed = AdministrativeBatch.unsigned(
                SimulatedMarket.CHAIN_ID,
                position,
                ToySignatures.key(proposer).scheme().code(),
                0,
                transaction);
        byte[] signature = ToySignatures.sign(proposer, AdministrativeBatch.signedRegion(signed));
        System.arraycopy(signature, 0, signed, signed.length - SignedBatch.SIGNATURE_LENGTH, signature.length);
        Batch batch = new Batch(BatchId.of(signed), signed, SessionKey.ADMINISTRATION, position, Long.MAX_VALUE);
        next.put(proposer, position.after(batch.batchId()));
        checker.onMade(batch);
        return batch;
    }

    private Change quotaOfOther() {
        int share = SimulatedMarket.quota(simulation.genesis().genesis(), 1) - QUOTA;
        return Change.newBuilder()
                .setSetQuota(SetQuota.newBuilder().setBrokerId(1).setLiveOrderCountMax(share))
                .build();
    }

    private Change addBroker() {
        return Change.newBuilder()
                .setAddBroker(Broker.newBuilder()
                        .setBrokerId(newcomer)
                        .addAccounts(AccountRange.newBuilder().setFirst(newcomer))
                        .setLiveOrderCountMax(QUOTA)
                        .addKeys(key(SimulatedMarket.KEY_ID)))
                .build();
    }

    private Change addKey() {
        return Change.newBuilder()
                .setAddKey(AddKey.newBuilder().setBrokerId(newcomer).setKey(key(SECOND_KEY)))
                .build();
    }

    private Change revokeKey() {
        return Change.newBuilder()
                .setRevokeKey(RevokeKey.newBuilder().setBrokerId(newcomer).setKeyId(SimulatedMarket.KEY_ID))
                .build();
    }

    private Change suspend() {
        return Change.newBuilder()
                .setSetBrokerStatus(
                        SetBrokerStatus.newBuilder().setBrokerId(newcomer).setStatus(BrokerStatus.BROKER_SUSPENDED))
                .build();
    }

    private Change addInstrument() {
        return Change.newBuilder()
                .setAddInstrument(Instrument.newBuilder()
                        .setInstrumentId(SimulatedMarket.INSTRUMENTS + 1)
                        .setSymbol("NEW")
                        .setPriceMin(1)
                        .setPriceMax(SimulatedMarket.PRICE_MAX)
                        .setQuantityMax(SimulatedMarket.QUANTITY_MAX))
                .build();
    }

    private Change replacement(int member) {
        return Change.newBuilder()
                .setReplaceNode(ReplaceNode.newBuilder()
                        .setNode(Node.newBuilder()
                                .setNodeId(member)
                                .setIdentity(SimulatedMarket.publicKey(
                                        ToySignatures.key(SimulatedMarket.keyOfReplacement(member))))))
                .build();
    }

    private static Change addition(int id, int key) {
        return Change.newBuilder()
                .setAddNode(AddNode.newBuilder()
                        .setNode(Node.newBuilder()
                                .setNodeId(id)
                                .setIdentity(SimulatedMarket.publicKey(ToySignatures.key(key)))))
                .build();
    }

    /** Another number of blocks between checkpoints, if the log window leaves the choice. */
    private Change interval() {
        int now = scenario.checkpointInterval();
        boolean mayDouble = scenario.proposesAfter() == ProposesAfter.DELIVERY && 4 * now <= scenario.logWindow();
        int other = mayDouble ? 2 * now : Math.max(1, now / 2);
        return Change.newBuilder()
                .setSetParameters(
                        SetParameters.newBuilder().setCheckpointInterval(other).setBlockMaxWaitMs(30))
                .build();
    }

    private Change halt() {
        return Change.newBuilder()
                .setSetInstrumentStatus(SetInstrumentStatus.newBuilder()
                        .setInstrumentId(SimulatedMarket.INSTRUMENTS + 1)
                        .setStatus(InstrumentStatus.INSTRUMENT_HALTED))
                .build();
    }

    private BrokerKey key(int keyId) {
        return BrokerKey.newBuilder()
                .setKeyId(keyId)
                .setKey(SimulatedMarket.publicKey(ToySignatures.key(keyIndex(keyId))))
                .build();
    }

    private int keyIndex(int keyId) {
        return SimulatedMarket.keyIndex(scenario, newcomer) + keyId - 1;
    }

    // Orders of the newcomer: each key in sessions of its own.

    private void trade(int keyId, List<Batch> to) {
        int session = (keyId - 1) * SimulatedMarket.SESSIONS_PER_KEY + (to == racing ? 1 : 0);
        BatchPosition position = BatchPosition.first(session);
        for (int i = 0; i < BATCHES_PER_KEY; i++) {
            Batch batch = Batch.of(newcomer, keyId, keyIndex(keyId), position, serial++, VALID_FOR_BLOCKS, random);
            position = position.after(batch.batchId());
            checker.onMade(batch);
            to.add(batch);
        }
    }

    @Override
    public String toString() {
        return "administration has " + steps.size() + " steps before it and waits for " + open;
    }

    private final class Source implements BatchSource {
        private final Batch batch;
        private final SimulatedNode node;

        private Source(Batch batch, SimulatedNode node) {
            this.batch = batch;
            this.node = node;
        }

        @Override
        public int peer() {
            return BROKER;
        }

        /** Nodes that are behind refuse what they do not know yet, and others what has ended. */
        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            boolean mayBeOld = hasChangedNodes && verdict.reason() == RefusalReason.INVALID_TRANSACTION;
            if (node.isCorrect() && !mayBeOld && IMPOSSIBLE.contains(verdict.reason())) {
                throw new SimulationFailure(
                        "node " + node.id + " refuses " + batch + ": " + verdict.reason() + " " + verdict.detail());
            }
        }

        @Override
        public void onVerdictsEnd() {
            // Each verdict is taken when it comes.
        }
    }
}
