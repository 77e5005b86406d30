package io.sealbook.node.commit;

import io.sealbook.archive.BlockArchive;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.member.ChainMembership;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.session.SessionHeads;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Durability;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the committer works on.
 *
 * @param membership follows the blocks
 * @param heads where the heads of sessions are written now and then
 * @param decoding what is kept of the headers of batches
 * @param epochEnded receives the certificate that ends the epoch of this node's replica; it may come again
 * @param agent takes inputs for agreement, or returns false if it has no room, as when the node stops; must not wait
 * @param durability whether a block survives a loss of power before it is handed on
 */
public record CommitContext(
        BlockArchive archive,
        BlockSink sink,
        CommittedBlocks blocks,
        HeaderDecoding decoding,
        ChainMembership membership,
        PayloadStore payloads,
        Sessions sessions,
        SessionHeads heads,
        Consumer<StableCertificate> epochEnded,
        Predicate<Input> agent,
        NodeState state,
        NodeEvents events,
        Durability durability) {}
