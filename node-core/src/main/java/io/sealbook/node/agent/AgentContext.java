package io.sealbook.node.agent;

import io.sealbook.node.commit.CommitTask;
import io.sealbook.node.payload.NonceWindow;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.status.NodeCounters;
import io.sealbook.node.status.NodeState;
import io.sealbook.vocabulary.Durability;
import java.util.function.Predicate;

/**
 * What the agent works on.
 *
 * @param durability whether a vote waits until its record survives a loss of power
 * @param commits takes tasks for the committer; false when it has no room
 */
public record AgentContext(
        Peers peers,
        ReplicaLog log,
        Durability durability,
        PayloadStore payloads,
        NonceWindow nonces,
        Predicate<CommitTask> commits,
        NodeState state,
        NodeCounters metrics) {}
