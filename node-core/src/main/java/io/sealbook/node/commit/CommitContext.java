package io.sealbook.node.commit;

import io.sealbook.archive.BlockArchive;
import io.sealbook.node.payload.NonceWindow;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.status.NodeCounters;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import java.util.function.Consumer;

/**
 * What the committer works on.
 *
 * @param agent takes what agreement is to be told
 * @param isSynced whether a block survives power loss before it is handed on
 */
public record CommitContext(
        BlockArchive archive,
        BlockSink sink,
        CommittedBlocks blocks,
        PayloadStore payloads,
        NonceWindow nonces,
        Consumer<Input> agent,
        NodeState state,
        NodeCounters metrics,
        boolean isSynced) {}
