package io.sealbook.consensus.agent;

import io.sealbook.node.admission.AdmittedBatches;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.session.Equivocation;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;

/**
 * The way of an admitted batch: to the other members, and to agreement once it is durable. Admission's thread.
 *
 * @param spreading sends a broker's batch to the members
 * @param state names the primary
 * @param inbox takes inputs of agreement
 */
public record AgreementFeed(Spreading spreading, NodeState state, AgentInbox inbox) implements AdmittedBatches {
    @Override
    public void onStored(Payload payload) {
        spreading.spread(payload, state.agreement().primary());
    }

    /** Waits for room, which fills the ring and so reaches the brokers. */
    @Override
    public void onDurable(Payload payload) {
        inbox.put(payload.available());
    }

    @Override
    public void onEquivocation(Equivocation evidence) {
        spreading.spread(evidence);
        inbox.put(new Input.SessionWithdrawn(evidence.sessionKey()));
    }
}
