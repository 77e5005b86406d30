package io.sealbook.node;

import io.sealbook.node.port.Background;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.StableCertificate;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the shell provides.
 *
 * @param peers the other members
 * @param sink where committed blocks are handed on
 * @param commits takes tasks for the committer; false if it has no room
 * @param inputs takes the committer's inputs for agreement; false if there is no room
 * @param epochEnded receives the certificate that ends the epoch of this node's replica, on the committer's thread: the
 *     shell closes the node and opens it again
 * @param background checks transferred blocks beside the committer
 * @param state published by the node's parts; as new
 * @param events counted and logged
 */
public record NodePorts(
        Peers peers,
        BlockSink sink,
        Predicate<CommitTask> commits,
        Predicate<Input> inputs,
        Consumer<StableCertificate> epochEnded,
        Background background,
        NodeState state,
        NodeEvents events) {}
