package io.sealbook.consensus.agent;

import io.sealbook.consensus.commit.CommitTask;
import io.sealbook.consensus.payload.NonceWindow;
import io.sealbook.consensus.payload.PayloadStore;
import io.sealbook.consensus.replicalog.ReplicaLog;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.status.NodeState;
import java.util.function.Predicate;

/**
 * What the agent works on.
 *
 * @param isSynced whether a vote waits until its record survives power loss
 * @param commits takes tasks for the committer; false when it has no room
 */
public record AgentContext(
        Peers peers,
        ReplicaLog log,
        boolean isSynced,
        PayloadStore payloads,
        NonceWindow nonces,
        Predicate<CommitTask> commits,
        NodeState state,
        NodeMetrics metrics) {}
