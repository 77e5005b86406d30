package io.sealbook.simulator;

import io.sealbook.node.NodeCore;
import io.sealbook.node.admission.Admission;
import io.sealbook.node.admission.AdmittedBatches;
import io.sealbook.node.admission.ArrivedBatch;
import io.sealbook.node.admission.BatchSource;
import io.sealbook.node.admission.DecodeStage;
import io.sealbook.node.admission.IngressSlot;
import io.sealbook.node.admission.SignatureStage;
import io.sealbook.node.admission.Verdict;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.session.Equivocation;
import io.sealbook.pbft.Input;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Digest;
import java.util.function.Consumer;

/** The ingress ring of a node: the stages of its admission, one batch after the other. */
final class SimulatedRing {
    private final Simulation simulation;
    private final SimulatedNode node;
    private final NodeCore core;
    private final Consumer<Input> inputs;
    private final DecodeStage decoder;
    private final SignatureStage signatures;
    private final Admission admission;

    /**
     * @param simulation which has the time
     * @param node which has the clock
     * @param core whose admission it runs
     * @param inputs takes the batches that agreement may propose
     */
    SimulatedRing(Simulation simulation, SimulatedNode node, NodeCore core, Consumer<Input> inputs) {
        this.simulation = simulation;
        this.node = node;
        this.core = core;
        this.inputs = inputs;
        decoder = core.decodeStage();
        signatures = core.signatureStage(1);
        admission = core.admission(new Admitted());
    }

    /**
     * Verifies and admits a batch.
     *
     * @param signedBatch with its signature
     * @param knownBatchId null if a broker sent it
     * @param source gets the verdict
     */
    void admit(byte[] signedBatch, Digest knownBatchId, BatchSource source) {
        simulation.onArrival(node, signedBatch);
        if (node.adversary.ignores(signedBatch, simulation.nowNs())) {
            return;
        }
        IngressSlot slot = new IngressSlot();
        slot.fill(new ArrivedBatch(source, 0, signedBatch, knownBatchId, simulation.nowNs()));
        decoder.decode(slot);
        signatures.add(slot);
        if (signatures.size() > 0) {
            signatures.verify();
        }
        admission.decide(slot, true, node.wallNs());
    }

    private final class Admitted implements AdmittedBatches {
        @Override
        public void onStored(Payload payload) {
            core.spreading().spread(payload, core.state().agreement().primary());
        }

        @Override
        public void onDurable(Payload payload) {
            inputs.accept(payload.available());
        }

        @Override
        public void onEquivocation(Equivocation evidence) {
            core.spreading().spread(evidence);
            inputs.accept(new Input.SessionWithdrawn(evidence.sessionKey()));
        }
    }

    /** Returns a peer as a source of batches. */
    BatchSource source(int peer) {
        return new Peer(peer);
    }

    private final class Peer implements BatchSource {
        private final int peer;

        private Peer(int peer) {
            this.peer = peer;
        }

        @Override
        public int peer() {
            return peer;
        }

        @Override
        public void onVerdict(long correlationId, Verdict verdict) {
            boolean isHere = verdict.status() != SubmitStatus.REFUSED;
            core.spreading().onDecided(peer, verdict.batchId(), isHere, simulation.nowNs());
        }

        @Override
        public void onVerdictsEnd() {
            // Nothing was kept back.
        }
    }
}
