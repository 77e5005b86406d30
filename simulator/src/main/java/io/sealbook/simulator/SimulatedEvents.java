package io.sealbook.simulator;

import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.member.TransactionFate;
import io.sealbook.node.port.BlockTimes;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.pbft.IgnoreReason;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.message.Message;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.simulator.disk.NoRoomException;
import java.util.List;

/** What a node reports, in the trace; a correct node that isolates itself fails the run. */
record SimulatedEvents(Simulation simulation, SimulatedNode node) implements NodeEvents {
    @Override
    public void refused(RefusalReason reason) {
        simulation.trace(node, "refuses a batch of a broker: " + reason);
    }

    @Override
    public void equivocated(long sessionKey, long number) {
        // The checker sees what brokers are answered.
    }

    @Override
    public void doubleVoted(MemberEvidence evidence) {
        simulation.trace(node, "has evidence " + evidence);
        simulation.onEvidence(node, evidence);
    }

    @Override
    public void evidenceUnwritten(String fact) {
        if (!NoRoomException.isToldBy(fact)) {
            throw new SimulationFailure("node " + node.id + " cannot write evidence: " + fact);
        }
        simulation.trace(node, "keeps evidence in memory: " + fact);
    }

    @Override
    public void evidenceWritten(int lost) {
        if (lost > 0 || !simulation.scenario().hasFullDisks()) {
            throw new SimulationFailure("node " + node.id + " had not written evidence, lost " + lost);
        }
        simulation.machines().fullDisks().onEvidenceWritten();
    }

    @Override
    public void headsRebuilt(long blockCount) {
        // A restart may lose the file.
    }

    @Override
    public void peerRefused(int peer, RefusalReason reason) {
        simulation.trace(node, "refuses a batch of node " + peer + ": " + reason);
    }

    @Override
    public void early(int peer) {
        simulation.trace(node, "does not know yet the key of a batch of node " + peer);
    }

    @Override
    public void administered(TransactionFate fate) {
        simulation.trace(node, "executes " + fate);
    }

    @Override
    public void decoded(int batchCount) {
        // Decodings are counted where they cost time.
    }

    @Override
    public void admitted(int orderCount) {
        simulation.trace(node, "admits a batch of " + orderCount + " orders");
    }

    @Override
    public void committed(int batchCount, long orderCount) {
        simulation.trace(node, "commits a block of " + batchCount + " batches");
    }

    @Override
    public void blockDone(long sequence, BlockTimes times) {
        // Nor do those of a block.
    }

    @Override
    public void delivered(long receivedNs) {
        // Latencies of a virtual clock mean nothing.
    }

    @Override
    public void ignored(Message message, IgnoreReason reason) {
        simulation.onIgnored(reason);
        if (node.isCorrect()) {
            simulation.observer().onIgnored(node.id, message, reason);
        }
    }

    @Override
    public void viewEntered(long view, int primary) {
        simulation.onViewEntered(node, view);
    }

    @Override
    public void isolated(Output.Isolated facts) {
        simulation.trace(node, facts);
        simulation.checker().onIsolated(node);
        simulation.machines().engineErrors().onIsolated();
    }

    @Override
    public void isolationEnded(long checkpoint) {
        simulation.trace(node, "isolation ended at checkpoint " + checkpoint);
        simulation.checker().onIsolationEnded(node.id);
        simulation.machines().engineErrors().onReturned();
    }

    @Override
    public void fetched(int batchCount) {
        simulation.onFetched(node, batchCount);
        simulation.trace(node, "asks for " + batchCount + " batches");
    }

    @Override
    public void transferStarted(long from, long to) {
        observe(Branch.TRANSFER_STARTED);
        simulation.onTransfer();
        simulation.trace(node, "fetches blocks " + (from + 1) + " to " + to);
    }

    @Override
    public void transferReached(long sequence) {
        observe(Branch.TRANSFER_REACHED);
        simulation.trace(node, "has fetched blocks up to " + sequence);
    }

    @Override
    public void transferred(int blockCount) {
        simulation.trace(node, "adopts " + blockCount + " blocks");
    }

    @Override
    public void transferRefused(int peer, long from, String fault) {
        observe(Branch.TRANSFER_REFUSED);
        simulation.trace(node, "refuses blocks of node " + peer + " from " + from + ": " + fault);
    }

    @Override
    public void certificateRefused(int peer, long sequence) {
        simulation.trace(node, "refuses the certificate of block " + sequence + " of node " + peer + ": no quorum");
    }

    @Override
    public void transferBroken(String fact) {
        observe(Branch.TRANSFER_BROKEN);
        simulation.trace(node, "state transfer: " + fact);
    }

    @Override
    public void replicaLogLossAccepted(String fact) {
        simulation.trace(node, "votes without its log: " + fact);
    }

    @Override
    public void payloadsRestored(int batchCount, List<String> damage) {
        simulation.trace(node, "takes " + batchCount + " batches back " + damage);
    }

    @Override
    public void handedOver(long blockCount) {
        simulation.trace(node, "hands over " + blockCount + " blocks that only the archive held");
    }

    private void observe(Branch branch) {
        if (node.isCorrect()) {
            simulation.observer().onTransfer(node.id, branch);
        }
    }

    @Override
    public void blocksDamaged(List<Long> sequences) {
        simulation.trace(node, "finds damaged blocks " + sequences);
    }

    @Override
    public void certificatesDamaged(long after, long before) {
        simulation.trace(node, "finds damaged certificates between " + after + " and " + before);
    }

    @Override
    public void blockRepaired(long sequence, int peer) {
        simulation.onRepaired();
        simulation.trace(node, "repairs block " + sequence + " from node " + peer);
    }

    @Override
    public void certificatesRepaired(long after, long before, int count) {
        simulation.onCertificatesRepaired(node, after, before, count);
        simulation.trace(node, "repairs " + count + " certificates between " + after + " and " + before);
    }

    @Override
    public void repairRefused(int peer, long sequence, String fault) {
        simulation.trace(node, "refuses what node " + peer + " sends for block " + sequence + ": " + fault);
    }

    @Override
    public void repairPostponed(long sequence, String why) {
        simulation.trace(node, "cannot repair block " + sequence + " yet: " + why);
    }
}
