package io.sealbook.consensus.commit;

import io.sealbook.archive.BlockArchive;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.handoff.BlockQueue;
import io.sealbook.consensus.payload.NonceWindow;
import io.sealbook.consensus.payload.PayloadStore;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.status.NodeState;

/**
 * What the committer works on.
 *
 * @param isSynced whether a block survives power loss before it is handed on
 */
public record CommitContext(
        BlockArchive archive,
        BlockQueue queue,
        CommittedBlocks blocks,
        PayloadStore payloads,
        NonceWindow nonces,
        AgentInbox agent,
        NodeState state,
        NodeMetrics metrics,
        boolean isSynced) {}
