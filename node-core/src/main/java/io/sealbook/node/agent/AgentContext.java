package io.sealbook.node.agent;

import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.status.NodeState;
import io.sealbook.vocabulary.Durability;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;

/**
 * What the agent works on.
 *
 * @param peers the other members
 * @param spreading sends what goes to all of them
 * @param log what the replica must not forget
 * @param voteMark set after the first record and before the first vote
 * @param durability whether a vote waits until its record survives a loss of power
 * @param payloads batches that wait for their block
 * @param sessions what is held of each session
 * @param evidence why sessions are withdrawn, only read; gets what proves a member's fault
 * @param identityKeyIds returns the key id of a member's identity in the epoch of this life
 * @param commits takes tasks for the committer; false when it has no room
 * @param state published for operators and brokers
 * @param events counted and logged
 */
public record AgentContext(
        Peers peers,
        Spreading spreading,
        ReplicaLog log,
        VoteMark voteMark,
        Durability durability,
        PayloadStore payloads,
        Sessions sessions,
        EvidenceStore evidence,
        IntUnaryOperator identityKeyIds,
        Predicate<CommitTask> commits,
        NodeState state,
        NodeEvents events) {}
