package io.sealbook.node.admission;

import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.status.NodeState;
import io.sealbook.vocabulary.Digest;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import java.util.function.ObjIntConsumer;

/**
 * What admission needs of the node around it.
 *
 * @param nodeId this member, from 0
 * @param validityBlocksMax how many blocks ahead a broker's batch may be valid
 * @param state holds the last block
 * @param blockBeforeNextTransaction of a member, the last block that must be there before its next transaction is taken
 * @param events counted and logged
 * @param early receives batches of peers whose broker or key is not known here yet
 * @param crowded receives the id of a batch for which there was no room, and the peer that sent it: its next copy must
 *     count as news
 */
public record AdmissionContext(
        int nodeId,
        long validityBlocksMax,
        NodeState state,
        IntToLongFunction blockBeforeNextTransaction,
        NodeEvents events,
        Consumer<IngressSlot> early,
        ObjIntConsumer<Digest> crowded) {}
